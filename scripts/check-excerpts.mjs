// A code block of docs/ with a file name in its first line (`// services/…/x.ts`) quotes that file. This script fails if the quote differs from the
// file. It ignores whitespace, because an excerpt can have different indentation. `// …` marks omitted lines.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const BLOCK = /```\w+\n\/\/ (\S+\/\S+\.\w+)\n([^]*?)```/g;

const wrong = readdirSync(join(ROOT, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .flatMap((name) => {
    const blocks = [...readFileSync(join(ROOT, 'docs', name), 'utf8').matchAll(BLOCK)];
    return blocks.filter(([, file, code]) => !quotes(file, code)).map(([, file]) => `docs/${name} misquotes ${file}`);
  });
if (wrong.length > 0) {
  console.error(wrong.join('\n'));
  process.exit(1);
}

function quotes(file, code) {
  if (!existsSync(join(ROOT, file))) return false;
  const text = flat(readFileSync(join(ROOT, file), 'utf8'));
  return code.split(/^\s*\/\/ …$/m).every((part) => text.includes(flat(part)));
}

function flat(code) {
  return code.replace(/\s+/g, ' ').trim();
}
