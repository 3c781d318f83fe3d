#!/usr/bin/env python3
"""Checks that each link of the site of the manual leads to a file of the site, and to an anchor of it if it names one.

Prints page and link of dead ones, and fails. Pages of the API reference are led to, but not read for links.

    tests/tools/site_links.py FOLDER
"""
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.anchors = [], {''}
        self.feed(path.read_text(encoding='utf-8'))

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name in ('href', 'src') and value is not None:
                self.links.append(value)
            elif name in ('id', 'name') and value is not None:
                self.anchors.add(value)


def main(folder):
    pages = {path: Page(path) for path in sorted(folder.glob('*.html')) if path.name != '404.html'}
    dead = 0
    for path, page in pages.items():
        for link in page.links:
            url = urlsplit(link)
            if url.scheme or url.netloc:
                continue
            target = path if not url.path else (path.parent / unquote(url.path)).resolve()
            if not target.is_file():
                print(f'{path.name}: there is no {link}')
                dead += 1
            elif target in pages and unquote(url.fragment) not in pages[target].anchors:
                print(f'{path.name}: {target.name} has no anchor {url.fragment}')
                dead += 1
    if not pages:
        print(f'there are no pages in {folder}')
    return 1 if dead or not pages else 0


sys.exit(main(Path(sys.argv[1]).resolve()))
