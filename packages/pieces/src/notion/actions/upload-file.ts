import {
  action,
  dropdown,
  expandPath,
  file,
  filePart,
  multipart,
  ProviderError,
  shortText,
  textAt,
} from '@drawbridge/piece-kit';
import { appendBlocks } from '../blocks.js';
import { pages } from '../options.js';
import { toRichText } from '../rich-text.js';

/** Uploads a file of at most 20 MB, or 5 MB in a free workspace: https://developers.notion.com/docs/uploading-small-files */
export const uploadFile = action({
  displayName: 'Upload file',
  description: 'Uploads a file and adds it at the end of a page: an image, video, audio, PDF or any other file.',
  category: 'write',
  adds: true,
  props: {
    page_id: dropdown('Page', { required: true, description: 'The id of a page, or of a block.', options: pages }),
    file: file('File', { required: true, description: 'The file. Its name needs an extension that Notion supports.' }),
    caption: shortText('Caption', { description: 'Shown below the file.', maxLength: 2000 }),
  },
  run: async ({ http, input: { page_id, file: given, caption } }) => {
    const { filename, mimeType } = given;
    const json = { mode: 'single_part', filename, content_type: mimeType };
    const id = textAt(await http.json({ method: 'POST', path: '/v1/file_uploads', json }), 'id');
    if (!id) throw new ProviderError('Notion returned a file upload without an id');
    const path = expandPath('/v1/file_uploads/{id}/send', { id });
    await http.json({ method: 'POST', path, ...multipart([filePart('file', given)]) });

    const type = typeOf(mimeType);
    const details = { type: 'file_upload', file_upload: { id }, ...(caption && { caption: toRichText(caption) }) };
    const [answer = null] = await appendBlocks(http, page_id, [{ type, [type]: details }]);
    return { id: textAt(answer, 'results', 0, 'id') ?? null, type, filename };
  },
});

/** Returns the type of the block that shows a file. */
function typeOf(mimeType: string): string {
  if (mimeType === 'application/pdf') return 'pdf';
  const [kind = ''] = mimeType.split('/', 1);
  return ['image', 'video', 'audio'].includes(kind) ? kind : 'file';
}
