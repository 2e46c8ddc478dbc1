const VOID = new Set(['br', 'hr', 'img', 'input'])
const escape = (text) => text.replace(/[&<>"]/g, (found) => `&#${found.charCodeAt(0)};`)

export function render(node) {
  if (typeof node === 'string') return escape(node)
  const [name, attributes = {}, ...children] = node
  const list = Object.entries(attributes)
    .filter(([, value]) => value !== false && value != null)
    .map(([key, value]) => (value === true ? ` ${key}` : ` ${key}="${escape(String(value))}"`))
    .join('')
  return VOID.has(name) ? `<${name}${list}>` : `<${name}${list}>${children.map(render).join('')}</${name}>`
}
