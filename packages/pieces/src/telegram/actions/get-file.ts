import { action, ProviderError, shortText, textAt, toFile } from '@drawbridge/piece-kit';
import { API } from '../origins.js';

/** The path becomes part of a URL that contains the token, so other characters are rejected. */
const FILE_PATH = /^[\w./-]{1,300}$/;

/** Downloads a file of a message: https://core.telegram.org/bots/api#getfile */
export const getFile = action({
  displayName: 'Get file',
  description: 'Downloads a file of a message, of at most 20 MB.',
  category: 'read',
  props: {
    file_id: shortText('File', {
      required: true,
      description: 'The file_id of a photo or document in a message.',
      minLength: 1,
      maxLength: 200,
    }),
  },
  run: async ({ http, input: { file_id }, auth }) => {
    const found = await http.json({ method: 'POST', path: '/getFile', json: { file_id } });
    const path = textAt(found, 'result', 'file_path') ?? '';
    if (!FILE_PATH.test(path) || path.includes('..'))
      throw new ProviderError('Telegram returned no valid path of the file');
    const token = auth?.type === 'SECRET_TEXT' ? auth.secretText : '';
    const answer = await http.send({ method: 'GET', path: `${API}/file/bot${token}/${path}` });
    // The error has no status, because a 404 of a file does not mean that the token is invalid. The content is not parsed as an API response, because
    // it may be any JSON.
    if (answer.status !== 200) {
      const message = `Telegram responded to the download with status ${answer.status}`;
      throw new ProviderError(message, { code: 'NO_FILE', retryable: answer.status >= 500 });
    }
    return toFile(answer);
  },
});
