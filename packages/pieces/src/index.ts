import { ApiError, suggestion } from '@drawbridge/contracts';
import type { Piece } from '@drawbridge/piece-kit';
import { pieces as builtIn } from './gen/registry.js';
import { loadPieces } from './load-pieces.js';

const known: Record<string, Piece> = { ...builtIn };
const loading = new Map<string, Promise<void>>();

export const pieces: Readonly<Record<string, Piece>> = known;

/** Returns the piece with that name. Finds only own keys: names come from callers, and `constructor` is not a piece. */
export function findPiece(name: string): Piece | undefined {
  return Object.hasOwn(pieces, name) ? pieces[name] : undefined;
}

/** Returns the error for an unknown integration, with the most similar name. The status is 400 for a name in a body and 404 for a name in a path. */
export function integrationNotFound(name: string, status = 404): ApiError {
  const next = suggestion(name, Object.keys(pieces)) || ' GET /api/v1/integrations?summary=true lists the names.';
  return new ApiError('INTEGRATION_NOT_FOUND', `Integration ${name} not found.${next}`, { status });
}

/** Returns whether a piece is built in instead of loaded from INTEGRATIONS_DIR. */
export const isBuiltIn = (name: string): boolean => Object.hasOwn(builtIn, name);

/** Adds the pieces of INTEGRATIONS_DIR, once per process. '' means none. Throws as `loadPieces` does. */
export async function addPieces(folder: string): Promise<void> {
  if (folder === '') return;
  const adding =
    loading.get(folder) ?? loadPieces(folder, Object.keys(builtIn)).then((more) => void Object.assign(known, more));
  loading.set(folder, adding);
  await adding;
}
