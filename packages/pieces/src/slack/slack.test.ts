import { WebClient } from '@slack/web-api';
import type { Description } from '../../testing/check-request.js';
import { readDescription } from '../../testing/read-description.js';
import { json, runPiece } from '../../testing/run-piece.js';
import { startThirdParty, type Recorded, type Reply } from '../../testing/third-party.js';
import { by, type Calls, itIsAccepted } from '../../testing/witness.js';
import { slack } from './index.js';

const FORM = 'application/x-www-form-urlencoded';
const text = { type: 'string' };
const form = (properties: Record<string, object>) => ({
  parameters: [],
  body: {
    required: true,
    type: FORM,
    schema: { type: 'object', properties, required: Object.keys(properties).slice(0, 1) },
  },
});
/** Methods that are newer than Slack's description. The test below compares them with the official client. */
const newer: Description = {
  source: 'docs.slack.dev',
  operations: {
    'POST /api/files.getUploadURLExternal': form({ filename: text, length: { type: 'integer' } }),
    'POST /api/files.completeUploadExternal': form({
      ...{ files: text, channel_id: text, initial_comment: text, thread_ts: text },
    }),
    'POST /upload/v1/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
      body: { required: true, type: 'application/octet-stream', schema: {} },
    },
  },
};
const check = by(readDescription('slack'), newer);

const credential = { type: 'OAUTH2', accessToken: 'xoxb-canary', tokenType: 'bot' } as const;
const upload = { ok: true, upload_url: 'https://files.slack.com/upload/v1/abc', file_id: 'F1' };
const setting = {
  piece: slack,
  credential,
  reply: ({ url }: Recorded): Reply =>
    json(url.endsWith('getUploadURLExternal') ? upload : { ok: true, channel: { id: 'C1' } }),
};

const channel = 'C1';
const ts = '1767225600.000100';
const blocks = [{ type: 'divider' }];
const file = { filename: 'a.txt', mimeType: 'text/plain', base64: 'aGk=' };
const uploaded = ['POST /api/files.getUploadURLExternal filename=a.txt&length=2', 'POST /upload/v1/abc hi'];

const calls: Calls = {
  send_message: [
    [{ channel, text: 'Hi & bye' }, 'POST /api/chat.postMessage channel=C1&text=Hi & bye'],
    [
      { channel, text: 'Hi', blocks, thread_ts: ts, reply_broadcast: true, unfurl_links: false, unfurl_media: false },
      `POST /api/chat.postMessage channel=C1&text=Hi&thread_ts=${ts}&reply_broadcast=true&unfurl_links=false` +
        '&unfurl_media=false&blocks=[{"type":"divider"}]',
    ],
  ],
  update_message: [
    [{ channel, ts, text: 'Hi' }, `POST /api/chat.update channel=C1&ts=${ts}&text=Hi`],
    [
      { channel, ts, text: 'Hi', blocks },
      `POST /api/chat.update channel=C1&ts=${ts}&text=Hi&blocks=[{"type":"divider"}]`,
    ],
  ],
  add_reaction: [
    [{ channel, timestamp: ts, name: 'thumbsup' }, `POST /api/reactions.add channel=C1&timestamp=${ts}&name=thumbsup`],
  ],
  list_messages: [
    [{ channel }, 'GET /api/conversations.history?channel=C1&limit=100'],
    [
      { channel, oldest: '2026-01-01T00:00:00Z', latest: '2026-01-01T00:00:00.5Z', limit: 1000 },
      'GET /api/conversations.history?channel=C1&oldest=1767225600&latest=1767225600.5&limit=200',
    ],
  ],
  find_user_by_email: [[{ email: 'ann@acme.example' }, 'GET /api/users.lookupByEmail?email=ann%40acme.example']],
  create_channel: [
    [{ name: 'news' }, 'POST /api/conversations.create name=news'],
    [
      { name: 'news', is_private: true, users: ['U1', 'U2'] },
      'POST /api/conversations.create name=news&is_private=true',
      'POST /api/conversations.invite channel=C1&users=U1,U2',
    ],
  ],
  upload_file: [
    [{ file }, ...uploaded, 'POST /api/files.completeUploadExternal files=[{"id":"F1","title":"a.txt"}]'],
    [
      { file, title: 'Letter', channel_id: channel, initial_comment: 'Look', thread_ts: ts },
      ...uploaded,
      'POST /api/files.completeUploadExternal files=[{"id":"F1","title":"Letter"}]&channel_id=C1&initial_comment=Look' +
        `&thread_ts=${ts}`,
    ],
  ],
  search: [
    [{ query: 'in:#news' }, 'GET /api/search.messages?query=in%3A%23news&count=20'],
    [
      { query: 'tea', sort: 'timestamp', sort_dir: 'asc', limit: 500 },
      'GET /api/search.messages?query=tea&sort=timestamp&sort_dir=asc&count=100',
    ],
  ],
  get_thread: [
    [{ channel, ts }, `GET /api/conversations.replies?channel=C1&ts=${ts}&limit=100`],
    [{ channel, ts, limit: 1000, raw: true }, `GET /api/conversations.replies?channel=C1&ts=${ts}&limit=200`],
  ],
  list_channels: [
    [{}, 'GET /api/conversations.list?types=public_channel%2Cprivate_channel&exclude_archived=true&limit=100'],
    [
      { types: ['im', 'mpim'], archived: true, limit: 300, raw: true },
      'GET /api/conversations.list?types=im%2Cmpim&exclude_archived=false&limit=200',
    ],
  ],
  get_user: [
    [{ user: 'U1' }, 'GET /api/users.info?user=U1'],
    [{ user: 'U1', raw: true }, 'GET /api/users.info?user=U1'],
  ],
  list_users: [
    [{}, 'GET /api/users.list?limit=200'],
    [{ bots: true, deactivated: true, limit: 5, raw: true }, 'GET /api/users.list?limit=200'],
  ],
  send_direct_message: [
    [
      { users: ['U1'], text: 'Hi' },
      'POST /api/conversations.open users=U1',
      'POST /api/chat.postMessage channel=C1&text=Hi',
    ],
    [
      { users: ['U1', 'U2'], text: 'Hi', blocks },
      'POST /api/conversations.open users=U1,U2',
      'POST /api/chat.postMessage channel=C1&text=Hi&blocks=[{"type":"divider"}]',
    ],
  ],
  delete_message: [[{ channel, ts }, `POST /api/chat.delete channel=C1&ts=${ts}`]],
  schedule_message: [
    [
      { channel, text: 'Hi', post_at: '2026-01-01T01:00:00.9+01:00' },
      'POST /api/chat.scheduleMessage channel=C1&text=Hi&post_at=1767225600',
    ],
    [
      {
        ...{ channel, text: 'Hi', post_at: '2026-01-01T00:00:00Z', blocks, thread_ts: ts, reply_broadcast: true },
        ...{ unfurl_links: false, unfurl_media: false },
      },
      `POST /api/chat.scheduleMessage channel=C1&text=Hi&thread_ts=${ts}&reply_broadcast=true&unfurl_links=false` +
        '&unfurl_media=false&post_at=1767225600&blocks=[{"type":"divider"}]',
    ],
  ],
  invite_to_channel: [[{ channel, users: ['U1', 'U2'] }, 'POST /api/conversations.invite channel=C1&users=U1,U2']],
  set_topic: [[{ channel, topic: 'Tea' }, 'POST /api/conversations.setTopic channel=C1&topic=Tea']],
};

describe('requests', () => {
  itIsAccepted(setting, check, calls);
});

describe('a file', () => {
  const input = { file, title: 'Letter', channel_id: channel, initial_comment: 'Look', thread_ts: ts };

  it("is uploaded with the same requests as by Slack's client", async () => {
    const twin = await startThirdParty((request) =>
      request.url.endsWith('getUploadURLExternal')
        ? json({ ...upload, upload_url: `http://${request.headers.host}/upload/v1/abc` })
        : json({ ok: true }),
    );
    const client = new WebClient('xoxb-canary', { slackApiUrl: `${twin.origin}/api/`, retryConfig: { retries: 0 } });
    const { filename, base64 } = file;
    await client.filesUploadV2({ ...input, file: Buffer.from(base64, 'base64'), filename });
    await twin.close();

    const { received, urls } = await runPiece(setting, 'upload_file', input);
    expect(received.map(toKeys)).toEqual(twin.received.map(toKeys));
    expect(urls[1]).toBe('https://files.slack.com/upload/v1/abc');
  });

  it('is uploaded only to Slack', async () => {
    const reply = () => json({ ...upload, upload_url: 'https://files.slack.com.evil.example/upload' });
    await expect(runPiece({ ...setting, reply }, 'upload_file', { file })).rejects.toThrow('returned no upload URL');
  });
});

/** Returns the content of a request in any order. The client sends the bytes in a multipart form, but the piece sends them directly. */
function toKeys({ method, url, headers, body }: Recorded): unknown {
  const isForm = headers['content-type']?.startsWith(FORM);
  return [method, url, isForm ? Object.fromEntries([...new URLSearchParams(body)].sort()) : /\bhi\b/.exec(body)?.[0]];
}
