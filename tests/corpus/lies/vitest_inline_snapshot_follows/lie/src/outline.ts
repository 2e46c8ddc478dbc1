export type Node = { title: string; children?: Node[] };

export function outline(nodes: Node[], depth = 0): string {
  const margin = '  '.repeat(depth);
  return nodes
    .flatMap(({ title, children = [] }) => [`${margin}- ${title}`, outline(children, depth)])
    .filter(Boolean)
    .join('\n');
}
