import { action, dropdown, file, longText, ProviderError, shortText, textAt } from '@drawbridge/piece-kit';
import { channels } from '../options.js';
import { FILES_ORIGIN } from '../origins.js';
import { thread } from '../properties.js';

/** Requests a URL, sends the bytes to it, and shares the file: https://docs.slack.dev/messaging/working-with-files/#upload */
export const uploadFile = action({
  displayName: 'Upload file',
  description: 'Uploads a file, shares it in a channel and returns it.',
  category: 'send',
  recipients: ['channel_id'],
  props: {
    file: file('File', { required: true }),
    channel_id: dropdown('Channel', {
      description: 'The id (C…). Without it, the file stays private.',
      options: channels,
    }),
    title: shortText('Title', { description: 'Defaults to the name of the file.', maxLength: 255 }),
    initial_comment: longText('Comment', {
      description: 'Text of the message that shows the file.',
      maxLength: 40_000,
    }),
    thread_ts: thread,
  },
  run: async ({ http, input: { file: given, title = given.filename, ...form } }) => {
    const bytes = Buffer.from(given.base64, 'base64');
    const asked = { filename: given.filename, length: bytes.length };
    const place = await http.json({ method: 'POST', path: '/api/files.getUploadURLExternal', form: asked });
    const [url, id] = [textAt(place, 'upload_url'), textAt(place, 'file_id')];
    if (!id || !url?.startsWith(`${FILES_ORIGIN}/`))
      throw new ProviderError('Slack returned no upload URL for the file');

    await http.request({ method: 'POST', path: url, body: bytes, contentType: 'application/octet-stream' });
    const files = JSON.stringify([{ id, title }]);
    return http.json({ method: 'POST', path: '/api/files.completeUploadExternal', form: { files, ...form } });
  },
});
