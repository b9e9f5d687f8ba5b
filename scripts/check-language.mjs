// Checks the words of comments, strings and Markdown against the glossary, which contains a plainer word for each entry. Fails with the location of
// each word that it finds. If a line needs such a word, it must end with the reason: `// language: <reason>`, in Markdown `<!-- language: <reason>
// -->`.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CODE_GLOSSARY, GLOSSARY, STARTS } from './glossary.mjs';

const [ROOT = join(import.meta.dirname, '..')] = process.argv.slice(2);
const FILES = ['*.ts', '*.tsx', '*.mjs', '*.js', '*.proto', '*.prisma', '*.md'];
/** Files that are not checked, because tools write them, other sources provide them, or they must contain the words. */
const OTHERS = /\/gen\/|\/node_modules\/|fixture|docs\/pieces\.md|scripts\/(glossary|check-language)/;

/** Files with text for users: pages, emails and documentation. CODE_GLOSSARY does not apply to them. */
const FOR_PEOPLE = /\.md$|^services\/gateway\/src\/pages\/|^packages\/mail\//;
const WORDS = { ...GLOSSARY, ...CODE_GLOSSARY };
const wordOfProse = anyOf(GLOSSARY);
const wordOfCode = anyOf(WORDS);
const start = new RegExp(`^(${STARTS.join('|')})\\b`);
const COMMENT = /^\s*(?:\/\/\/?|\/\*\*?|\*(?!\/))\s*(.*)$|\s\/\/ (.*)$/;
/** Quoted strings of at least two words. */
const TEXT = /'([^'\\]*(?:\\.[^'\\]*)* [^']*)'|"([^"]* [^"]*)"|`([^`]* [^`]*)`/g;

const files = execFileSync('git', ['ls-files', ...FILES], { cwd: ROOT, encoding: 'utf8' })
  .trim()
  .split('\n');
const found = files.filter((file) => !OTHERS.test(file)).flatMap(problemsOf);
if (found.length > 0) {
  console.error(found.join('\n'));
  process.exit(1);
}
console.log(`${files.length} files`);

function problemsOf(file) {
  const isProse = file.endsWith('.md');
  const word = FOR_PEOPLE.test(file) ? wordOfProse : wordOfCode;
  let isWithin = false;
  return readFileSync(join(ROOT, file), 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      const at = `${file}:${index + 1}`;
      const comment = isProse ? undefined : commentOf(line);
      const begins = comment !== undefined && !isWithin && start.test(comment) ? [comment] : [];
      isWithin = comment !== undefined && /^\s*(\/\/|\*|\/\*)/.test(line) && !/\*\/\s*$/.test(line) && comment !== '';
      if (/language: \S/.test(line)) return [];
      const prose = isProse ? withoutCode(line) : [comment ?? '', ...textsOf(line)].join(' ');
      // Names of constants are not words of a sentence.
      const found = [...prose.matchAll(word)].filter(([one]) => one !== one.toUpperCase());
      const words = found.map(([one]) => `${at} "${one}": ${plain(one)}`);
      return [...words, ...begins.map((text) => `${at} begins with a clause, not with its subject: ${text}`)];
    });
}

function commentOf(line) {
  const [, whole, behind] = COMMENT.exec(line) ?? [];
  return whole ?? behind;
}

function textsOf(line) {
  return [...line.matchAll(TEXT)].map((match) => match.slice(1).find((text) => text !== undefined));
}

function withoutCode(line) {
  return line.replace(/`[^`]*`/g, '');
}

function anyOf(glossary) {
  return new RegExp(`\\b(${Object.keys(glossary).join('|')})\\b`, 'gi');
}

function plain(found) {
  const [, replacement] = Object.entries(WORDS).find(([pattern]) => new RegExp(`^(${pattern})$`, 'i').test(found));
  return replacement;
}
