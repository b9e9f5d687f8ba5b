import { invalid } from '@drawbridge/contracts';

/** Refuses a server that this version cannot run: it would list no tools. Throws VALIDATION_ERROR on `mode`. */
export function requireRunnableMode(mode: string | undefined): void {
  if (mode === 'CODE') throw invalid({ mode: 'CODE is not available in this version. Use TOOLS.' });
}
