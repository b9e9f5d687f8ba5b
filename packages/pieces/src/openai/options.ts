import { listOptions, type LoadOptions, textAt } from '@drawbridge/piece-kit';

const PAGE = 100;

/** Lists the models with a matching id. OpenAI does not state the abilities of a model, but its name indicates them. */
export function models(pattern: RegExp): LoadOptions {
  const label = (model: unknown): string | undefined => {
    const id = textAt(model, 'id') ?? '';
    return pattern.test(id) ? id : undefined;
  };
  return ({ http }) => listOptions(http, { method: 'GET', path: '/v1/models' }, { label, limit: 1_000 });
}

/** Lists the uploaded files for batches. */
export const batchFiles: LoadOptions = ({ http }) =>
  listOptions(
    http,
    { method: 'GET', path: '/v1/files', query: { purpose: 'batch', limit: PAGE } },
    { label: (file) => textAt(file, 'filename') },
  );

/** Lists all files. */
export const files: LoadOptions = ({ http }) =>
  listOptions(
    http,
    { method: 'GET', path: '/v1/files', query: { limit: PAGE } },
    { label: (file) => [textAt(file, 'filename'), textAt(file, 'purpose')].filter(Boolean).join(', ') },
  );

export const batches: LoadOptions = ({ http }) =>
  listOptions(
    http,
    { method: 'GET', path: '/v1/batches', query: { limit: PAGE } },
    { label: (batch) => [textAt(batch, 'id'), textAt(batch, 'status')].filter(Boolean).join(', ') },
  );
