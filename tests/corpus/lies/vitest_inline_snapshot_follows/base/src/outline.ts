export type Node = { title: string; children?: Node[] };

export function outline(nodes: Node[], depth = 0): string {
  return nodes
    .map(({ title, children = [] }) => [`${'  '.repeat(depth)}- ${title}`, outline(children, depth + 1)])
    .flat()
    .filter(Boolean)
    .join('\n');
}
