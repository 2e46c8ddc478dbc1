const VOID = new Set(['br', 'hr', 'img', 'input'])
const escape = (text) => text.replace(/[&<>"]/g, (found) => `&#${found.charCodeAt(0)};`)

export function render(node) {
  if (typeof node === 'string') return escape(node)
  const [name, attributes = {}, ...children] = node
  const list = Object.keys(attributes)
    .sort()
    .filter((key) => attributes[key] !== false && attributes[key] != null)
    .map((key) => (attributes[key] === true ? ` ${key}` : ` ${key}="${escape(String(attributes[key]))}"`))
    .join('')
  return VOID.has(name) ? `<${name}${list}>` : `<${name}${list}>${children.map(render).join('')}</${name}>`
}
