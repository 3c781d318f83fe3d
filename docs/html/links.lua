-- Links between pages, for HTML: town.md becomes town.html. Links to files outside of docs/ become plain text.
function Link(link)
    local target = link.target
    if target:match('^%a+:') or target:match('^#') then
        return link
    end
    target = target:gsub('^docs/', '')
    if target:match('^%.%./README%.md') then
        target = target:gsub('^%.%./README%.md', 'readme.html')
    elseif target:match('/') or target:match('^CONTRIBUTING') or not target:match('%.md') then
        return link.content
    end
    link.target = target:gsub('^README%.md', 'index.html'):gsub('%.md', '.html')
    return link
end

-- Pictures written as HTML, to set their width.
local function raw(html)
    html.text = html.text:gsub('src="docs/', 'src="')
    return html
end
RawInline, RawBlock = raw, raw

-- Adds a link to the list of pages at the top of every page.
function Pandoc(page)
    table.insert(page.blocks, 1, pandoc.Para({pandoc.Link('Kin: the manual', 'index.html')}))
    return page
end
