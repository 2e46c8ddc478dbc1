// Renders each Markdown file that the list names (one path a line): a line of JSON, [path, HTML], for each.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const MarkdownIt = createRequire(`${process.argv[2]}/`)("markdown-it");
const markdown = new MarkdownIt({ html: true, linkify: true });
for (const path of readFileSync(process.argv[3], "utf8").split("\n").filter(Boolean)) {
  process.stdout.write(`${JSON.stringify([path, markdown.render(readFileSync(path, "utf8"))])}\n`);
}
