import { action, expandPath, InputError, type Http, type JsonObject } from '@drawbridge/piece-kit';
import { branch, path, repo } from '../properties.js';

/** Returns the content of one file of a repository: https://docs.github.com/rest/repos/contents#get-repository-content */
export const getFile = action({
  displayName: 'Get file',
  description: 'Reads one file of a repository, up to 6 MB. Returns its content and its SHA.',
  category: 'read',
  props: {
    repo,
    path,
    ref: branch.toRead,
  },
  run: async ({ http, input }) => {
    const request = {
      method: 'GET',
      path: expandPath('/repos/{+repo}/contents/{+path}', input),
      query: { ref: input.ref },
    };
    const entry = await http.json(request);
    if (!isFile(entry)) throw new InputError('path', 'is not a file');

    const bytes = await content(http, request, entry);
    return {
      path: input.path,
      sha: entry.sha ?? null,
      size: bytes.length,
      text: toText(bytes),
      file: {
        filename: input.path.split('/').at(-1) ?? input.path,
        mimeType: toText(bytes) === null ? 'application/octet-stream' : 'text/plain',
        base64: bytes.toString('base64'),
      },
    };
  },
});

/**
 * Reads files over 1 MB with the raw media type, because GitHub omits their content from its JSON. GitHub allows 100 MB, but an output is limited to
 * 8 MiB, which is about 6 MB in base64. A larger file fails with OUTPUT_TOO_LARGE.
 */
async function content(http: Http, request: Parameters<Http['request']>[0], entry: JsonObject): Promise<Buffer> {
  if (entry.encoding === 'base64') return Buffer.from(String(entry.content), 'base64');

  const raw = await http.request({ ...request, headers: { accept: 'application/vnd.github.raw+json' } });
  return Buffer.from(raw.body);
}

function isFile(entry: unknown): entry is JsonObject {
  return typeof entry === 'object' && entry !== null && 'type' in entry && entry.type === 'file';
}

function toText(bytes: Buffer): string | null {
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : null;
}
