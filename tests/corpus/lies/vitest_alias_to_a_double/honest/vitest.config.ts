import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({ resolve: { alias: { '@hash': at('src/hash.ts'), '@doubles': at('test/doubles') } } });
