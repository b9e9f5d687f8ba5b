import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const PACKAGE = join(import.meta.dirname, '..');
const manifest = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));
const MAX_BYTES = 25_000;

const bundle = async (platform: 'browser' | 'neutral'): Promise<Uint8Array> => {
  const entryPoints = [join(import.meta.dirname, 'index.ts')];
  const { outputFiles } = await build({
    entryPoints,
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform,
  });
  return outputFiles[0]!.contents;
};

it('has no dependencies', () => {
  expect(Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })).toEqual([]);
});

it.each(['browser', 'neutral'] as const)(
  'fits into 25 kB on a %s platform, without modules of Node.js',
  async (platform) => {
    expect(gzipSync(await bundle(platform)).length).toBeLessThanOrEqual(MAX_BYTES);
  },
);

it('uses only what every platform has', () => {
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.ts') && !name.includes('.test'));
  const sources = files.map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'));
  expect(sources.filter((text) => /from 'node:|require\(|\bBuffer\b/.test(text))).toEqual([]);
});
