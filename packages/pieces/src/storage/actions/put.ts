import { file, InputError, statefulAction } from '@drawbridge/piece-kit';
import { path } from '../properties.js';

const MIB = 1024 * 1024;
/** The file must fit in one request and in one response. */
const MAX_BYTES = 5 * MIB;

export const put = statefulAction({
  displayName: 'Put file',
  description: 'Stores a file at a path, where it replaces an existing one. Returns its name, type and size.',
  category: 'write',
  idempotent: true,
  props: { path, file: file('File', { required: true, description: 'A file up to 5 MiB.' }) },
  run: async ({ input: { path: at, file: given }, state }) => {
    const { filename, mimeType, base64 } = given;
    const size = Buffer.byteLength(base64, 'base64');
    if (size > MAX_BYTES) throw new InputError('file', 'is larger than 5 MiB');
    const note = { filename, mimeType, size };
    await state.update(at, () => ({ value: base64, note }));
    return { path: at, ...note };
  },
});
