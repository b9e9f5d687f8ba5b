import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as kit from '@drawbridge/piece-kit';
import type { Piece } from '@drawbridge/piece-kit';
import { withRequest } from './request.js';

const FILE = /^([^.].*)\.m?js$/;
const ENTRIES = ['index.js', 'index.mjs'];

interface Source {
  name: string;
  file: string;
  logo?: string;
}

/**
 * Loads the pieces of a folder (`<name>.js`, `<name>.mjs` or `<name>/index.js`) by name. Throws an Error with the file and all of its problems.
 * `taken` contains the names of other pieces.
 */
export async function loadPieces(folder: string, taken: readonly string[]): Promise<Record<string, Piece>> {
  const sources = sourcesIn(resolve(folder));
  const loaded = await Promise.all(sources.map(async (source) => [source.name, await load(source)] as const));
  for (const [index, { name, file }] of sources.entries()) {
    if (taken.includes(name)) throw problemWith(file, [`a built-in piece is already named ${name}`]);
    const twin = sources.findIndex((other) => other.name === name);
    if (twin < index) throw problemWith(file, [`${sources[twin]!.file} has the same name`]);
  }
  return Object.fromEntries(loaded);
}

function sourcesIn(folder: string): Source[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    const [, name] = FILE.exec(entry.name) ?? [];
    if (name) return [{ name, file: path }];
    const file = ENTRIES.map((one) => join(path, one)).find((one) => existsSync(one));
    return file ? [{ name: entry.name, file, logo: join(path, 'logo.svg') }] : [];
  });
}

async function load({ name, file, logo }: Source): Promise<Piece> {
  const piece = await make(name, file).catch((error: unknown) => {
    throw problemWith(file, [`cannot be loaded: ${error instanceof Error ? error.message : String(error)}`]);
  });
  const problems = kit.pieceProblems(piece);
  if (problems.length === 0 && piece.name !== name)
    problems.push(`has the piece name ${piece.name}: the file and the piece must have the same name`);
  if (problems.length > 0) throw problemWith(file, problems);
  return withRequest(logo && existsSync(logo) ? { ...piece, logoUrl: dataUri(logo) } : piece);
}

/** Returns the default export or, as for built-in pieces, the export that has the name in camel case. */
async function make(name: string, file: string): Promise<Piece> {
  const module: Record<string, unknown> = await import(pathToFileURL(file).href);
  const exported = module['default'] ?? module[name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())];
  // Passes this process's kit to a function, because instanceof does not recognize errors of another copy of the kit.
  return (typeof exported === 'function' ? exported(kit) : exported) as Piece;
}

function dataUri(file: string): string {
  return `data:image/svg+xml;base64,${readFileSync(file).toString('base64')}`;
}

function problemWith(file: string, problems: string[]): Error {
  return new Error(`INTEGRATIONS_DIR: ${file}: ${problems.join('; ')}`);
}
