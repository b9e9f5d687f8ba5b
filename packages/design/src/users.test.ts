import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { customProperties } from './custom-properties.js';

const ROOT = join(import.meta.dirname, '../../..');
const SHEET = 'services/gateway/pages.css';
/** The sources of pages and emails, without their tests. */
const SOURCES = [
  SHEET,
  ...filesIn('services/gateway/src/pages'),
  'services/gateway/src/http/api-reference.ts',
  ...filesIn('packages/mail/src'),
  ...readdirSync(join(ROOT, 'services')).flatMap((name) => filesIn(`services/${name}/src`).filter(isOfMail)),
];

function filesIn(folder: string): string[] {
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => /(?<!\.test)\.tsx?$/.test(name)).map((name) => join(folder, name));
}

function isOfMail(name: string): boolean {
  return /mail/.test(name) && !name.includes('/gen/');
}

const textOf = (name: string): string => readFileSync(join(ROOT, name), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');

it.each(SOURCES)('%s has no colour of its own', (name) => {
  const text = textOf(name).replaceAll(/(?:var|url)\([^)]*\)/g, '');
  expect(text.match(/#(?:[0-9a-f]{3,4}){1,2}\b|\b(?:rgb|hsl|oklch|color-mix)a?\(/gi) ?? []).toEqual([]);
});

/** The declarations of the stylesheet that must have tokens as values. */
const TOKENS = /^(?:padding|margin|gap|row-gap|column-gap|inset|top|left|font|font-size|border-radius|outline|color)/;
const LENGTH = /(?<![\w-])-?\d*\.?\d+(?:px|r?em|pt|ch|ex|vh|vw)\b/g;

it('the stylesheet takes font sizes, spaces and radii from the tokens', () => {
  const declarations = [...textOf(SHEET).matchAll(/([a-z-]+): ([^;{}]+);/g)];
  expect(declarations.length).toBeGreaterThan(200);
  const strays = declarations.filter(
    ([, name, value]) => TOKENS.test(name!) && LENGTH.test(value!.replace(/\b0\b/g, '')),
  );
  expect(strays.map(([all]) => all)).toEqual([]);
});

it('the stylesheet uses no undefined custom property', () => {
  const text = textOf(SHEET);
  const defined = new Set([...(customProperties() + text).matchAll(/(--[a-z-]+):/g)].map(([, name]) => name));
  const used = new Set([...text.matchAll(/var\((--[a-z-]+)/g)].map(([, name]) => name));
  expect([...used].filter((name) => !defined.has(name))).toEqual([]);
});

it('e-mails take lengths from the tokens, apart from lines of one pixel', () => {
  const lengths = SOURCES.filter(isOfMail).flatMap((name) => textOf(name).match(LENGTH) ?? []);
  expect(lengths.filter((length) => length !== '1px')).toEqual([]);
});
