"""Makes a site of pages that are written for GitHub.

The navigation is the list in docs/README.md: its headings are the groups. Pages of the repository outside of docs/ get
a name in the site; a header of the runtime leads to the API reference, which `make docs-api` makes in the folder api of
the site; what else is not in the site becomes plain text.
"""
import posixpath
import re
from pathlib import Path

from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Link, Section

ROOT = Path(__file__).parents[2]
OUTSIDE = {
    'README.md': 'readme.md',
    'examples/README.md': 'examples.md',
    'bench/README.md': 'figures.md',
    'CONTRIBUTING.md': 'contributing.md',
}
SOURCES = {name: source for source, name in OUTSIDE.items()}
REFERENCE = 'Functions of the runtime'


def anchor_of(text, separator):
    """The anchor that GitHub makes of a heading: lower case, dashes for spaces, no punctuation."""
    return re.sub('[^a-z0-9 _-]', '', text.lower()).replace(' ', separator)


def on_config(config):
    config['mdx_configs']['toc']['slugify'] = anchor_of
    groups = re.split(r'^## (.*)$', (ROOT / 'docs/README.md').read_text(encoding='utf-8'), flags=re.MULTILINE)
    config['nav'] = [{'The manual': 'README.md'}]
    for heading, text in zip(groups[1::2], groups[2::2]):
        entries = re.findall(r'^- \[([^]]+)\]\(([^)]+)\)', text, flags=re.MULTILINE)
        config['nav'].append({heading: [{' '.join(title.split()): page_of('docs', path)} for title, path in entries]})
    return config


def on_files(files, config):
    in_docs = ('images/', 'site/style.css', 'site/offline.js')
    theme = (file for file in files if not file.abs_src_path.startswith(config['docs_dir']))
    pages = [file for file in files if file.is_documentation_page() or file.src_uri.startswith(in_docs)]
    pages.extend(theme)
    for source, name in OUTSIDE.items():
        page = File(name, config['docs_dir'], config['site_dir'], use_directory_urls=False)
        page.abs_src_path = str(ROOT / source)
        pages.append(page)
    return Files(pages)


def on_nav(nav, config, files):
    for item in nav.items:
        if isinstance(item, Section) and item.title == 'Reference':
            item.children.append(Link(REFERENCE, 'api/index.html'))
    return nav


def page_of(folder, path):
    """The page of the site for a path of the repository, or None."""
    path = posixpath.normpath(posixpath.join(folder, path))
    if path in OUTSIDE:
        return OUTSIDE[path]
    return path[len('docs/'):] if re.fullmatch(r'docs/([^/]*\.md|images/.*)', path) else None


def link_of(folder, text, path, anchor):
    page = page_of(folder, path)
    if page is not None:
        return f'[{text}]({page}{anchor})'
    header = re.search(r'include/kin/(\w+)\.h$', path)
    if header is not None:
        return f'<a href="api/{header[1].replace("_", "__")}_8h.html">{text}</a>'
    return text


def adapt_text(text, folder):
    text = re.sub(r'\[([^]]+)\]\(([^):#]+)(#[^)]*)?\)', lambda m: link_of(folder, m[1], m[2], m[3] or ''), text)
    text = re.sub(r'(<img src=")([^":]+)', lambda m: m[1] + (page_of(folder, m[2]) or m[2]), text)
    return text.replace('<details>', '<details markdown="1">').replace('<!-- another program -->\n', '')


# A block of C, and the same in C++ below it, which GitHub shows folded.
TWINS = re.compile(r'^(```c .*?^```)\n\n<details><summary>C\+\+</summary>\n\n(```cpp .*?^```)\n\n</details>$',
                   flags=re.MULTILINE | re.DOTALL)


def tabs_of(twins):
    """The two blocks as tabs of the site."""
    tabs = [f'=== "{name}"\n\n' + re.sub('^(?=.)', '    ', block, flags=re.MULTILINE)
            for name, block in zip(('C', 'C++'), twins.groups())]
    return '\n\n'.join(tabs)


def on_page_markdown(markdown, page, config, files):
    markdown = TWINS.sub(tabs_of, markdown)
    source = SOURCES.get(page.file.src_uri, 'docs/' + page.file.src_uri)
    lines = re.split(r'^((?:    )?```.*)$', markdown, flags=re.MULTILINE)
    adapted, inside = [], False
    for part in lines:
        if part.lstrip(' ').startswith('```'):
            name = re.fullmatch(r'( *```)(\S+) (.+)', part)
            part = f'{name[1]}{name[2]} title="{name[3]}"' if name else part
            inside = not inside
        elif not inside:
            part = adapt_text(part, posixpath.dirname(source))
        adapted.append(part)
    return ''.join(adapted)


def on_post_page(output, page, config):
    bundle = '<script src="assets/javascripts/bundle'
    return output.replace(bundle, '<script src="site/offline.js"></script>\n      ' + bundle)


def on_post_build(config):
    index = Path(config['site_dir']) / 'search/search_index.json'
    script = f'receiveIndex({index.read_text(encoding="utf-8")});\n'
    index.with_suffix('.js').write_text(script, encoding='utf-8')
