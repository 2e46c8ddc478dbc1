-- Facts about the files that $LIST names, one "FORMAT PATH" a line, in one pandoc process: headings, images, text
-- without code, each as a line of tab-separated fields.
local space = pandoc.Space()
local nothing = function() return {} end

local function ended(block)
  block.content:insert(space)
  return block
end

local function facts(text, format)
  local body = pandoc.Div(pandoc.read(text, format).blocks)
  local headings, images = {}, {}
  pandoc.walk_block(body, {
    Header = function(el) headings[#headings + 1] = el.level end,
    Image = function(el) images[#images + 1] = el.src end,
  })
  local plain = pandoc.walk_block(body, {
    Image = nothing, Code = nothing, CodeBlock = nothing, RawInline = nothing, RawBlock = nothing, Math = nothing,
  })
  plain = pandoc.walk_block(plain, {
    Para = ended, Plain = ended, Header = ended,
    LineBreak = function() return space end,
    LineBlock = function(el)
      for _, line in ipairs(el.content) do line:insert(space) end
      return el
    end,
    DefinitionList = function(el)
      for _, item in ipairs(el.content) do item[1]:insert(space) end
      return el
    end,
  })
  return headings, images, pandoc.utils.stringify(plain)
end

function Pandoc()
  for line in io.lines(os.getenv("LIST")) do
    local format, path = line:match("^(%S+) (.+)$")
    local file = io.open(path, "rb")
    local headings, images, text = facts(file:read("a"), format)
    file:close()
    io.stdout:write("file\t", path, "\n")
    for _, level in ipairs(headings) do io.stdout:write("heading\t", level, "\n") end
    for _, src in ipairs(images) do io.stdout:write("image\t", src, "\n") end
    io.stdout:write("text\t", (text:gsub("%s+", " ")), "\n")
  end
  io.stdout:flush()
  os.exit(0)
end
