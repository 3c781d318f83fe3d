#!/usr/bin/env python3
"""Makes the extension as a file that VS Code installs without a network: vsix.py VERSION OUTPUT

The same sources give the same bytes.
"""
import json, os, sys, zipfile

FILES = ["extension.js", "icon.png", "snippets.json", "README.md"]
TYPES = {"js": "application/javascript", "json": "application/json", "md": "text/markdown", "png": "image/png",
         "vsixmanifest": "text/xml", "txt": "text/plain"}


def manifest(package):
    return f"""<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="{package["name"]}" Version="{package["version"]}" Publisher="{package["publisher"]}"/>
    <DisplayName>{package["displayName"]}</DisplayName>
    <Description xml:space="preserve">{package["description"]}</Description>
    <Categories>{",".join(package["categories"])}</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="{package["engines"]["vscode"]}"/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
    </Properties>
    <License>extension/LICENSE.txt</License>
    <Icon>extension/icon.png</Icon>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code"/>
  </Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Icons.Default" Path="extension/icon.png" Addressable="true"/>
  </Assets>
</PackageManifest>
"""


def content_types():
    rows = "".join(f'<Default Extension=".{name}" ContentType="{kind}"/>' for name, kind in sorted(TYPES.items()))
    return ('<?xml version="1.0" encoding="utf-8"?>\n'
            f'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">{rows}</Types>\n')


def main(version, output):
    folder = os.path.dirname(os.path.abspath(__file__))
    read = lambda *path: open(os.path.join(folder, *path), "rb").read()
    text = read("package.json").decode().replace("@VERSION@", version)
    parts = {"[Content_Types].xml": content_types(), "extension.vsixmanifest": manifest(json.loads(text)),
             "extension/package.json": text, "extension/LICENSE.txt": read("..", "..", "LICENSE")}
    parts.update({f"extension/{name}": read(name) for name in FILES})
    os.makedirs(os.path.dirname(output) or ".", exist_ok=True)
    with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    print(f"wrote {output}")


main(*sys.argv[1:])
