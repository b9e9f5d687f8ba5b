import {
  isCredentialRefused,
  type JsonObject,
  type JsonValue,
  ProviderError,
  testCredential,
} from '@drawbridge/piece-kit';
import { checkResponse } from '../../testing/check-request.js';
import { readDescription } from '../../testing/read-description.js';
import { json, runPiece, type Setting, toLine } from '../../testing/run-piece.js';
import { type Recorded, startThirdParty } from '../../testing/third-party.js';
import { by, itIsAccepted } from '../../testing/witness.js';
import { failedWhen } from './failed-when.js';
import { telegram } from './index.js';

const description = readDescription('telegram');
delete description.base;
// In the description, the token is part of the server's URL.
const check = (request: Recorded) =>
  `${request.method} ${request.url}` === DOWNLOAD
    ? []
    : by(description)({ ...request, url: request.url.replace(/^\/bot[^/]+/, '') });
const credential = { type: 'SECRET_TEXT', secretText: '1:canary' } as const;
const result = { message_id: 1, file_path: 'photos/a.jpg' };
const setting: Setting = { piece: telegram, credential, reply: () => json({ ok: true, result }) };
const DOWNLOAD = 'GET /file/bot1:canary/photos/a.jpg';
const AT = 'POST /bot1%3Acanary';

const file = { filename: 'a.txt', mimeType: 'text/plain', base64: 'aGk=' };
const delivery = { reply_to_message_id: 3, disable_notification: true };
const buttons = { inline_keyboard: [[{ text: 'Yes', callback_data: 'yes' }]] };
const BUTTONS = '"reply_markup":{"inline_keyboard":[[{"text":"Yes","callback_data":"yes"}]]}';

const uploads = (name: string, path: string) =>
  [
    [{ chat_id: '@news', [name]: file }, `${AT}/${path} chat_id=@news&${name}=@a.txt;text/plain;hi`],
    [
      { chat_id: '7', [name]: file, caption: 'Look', parse_mode: 'HTML', ...delivery },
      `${AT}/${path} chat_id=7&caption=Look&parse_mode=HTML&reply_to_message_id=3&disable_notification=true` +
        `&${name}=@a.txt;text/plain;hi`,
    ],
  ] as const;

describe('requests', () => {
  itIsAccepted(setting, check, {
    send_message: [
      [{ chat_id: '-100123', text: 'Hi' }, `${AT}/sendMessage {"chat_id":"-100123","text":"Hi"}`],
      [
        {
          ...{ chat_id: '@news', text: 'Hi', parse_mode: 'HTML', disable_web_page_preview: true, ...delivery },
          reply_markup: buttons,
        },
        `${AT}/sendMessage {"chat_id":"@news","text":"Hi","parse_mode":"HTML","disable_web_page_preview":true,` +
          `"reply_to_message_id":3,"disable_notification":true,${BUTTONS}}`,
      ],
    ],
    send_photo: uploads('photo', 'sendPhoto'),
    send_document: uploads('document', 'sendDocument'),
    edit_message: [
      [{ chat_id: '7', message_id: 4, text: 'Hi' }, `${AT}/editMessageText {"chat_id":"7","message_id":4,"text":"Hi"}`],
      [
        { chat_id: '7', message_id: 4, text: 'Hi', parse_mode: 'MarkdownV2', reply_markup: buttons },
        `${AT}/editMessageText {"chat_id":"7","message_id":4,"text":"Hi","parse_mode":"MarkdownV2",${BUTTONS}}`,
      ],
    ],
    delete_message: [[{ chat_id: '7', message_id: 4 }, `${AT}/deleteMessage {"chat_id":"7","message_id":4}`]],
    answer_callback: [
      [{ callback_query_id: '9' }, `${AT}/answerCallbackQuery {"callback_query_id":"9"}`],
      [
        { callback_query_id: '9', text: 'Done', show_alert: true, cache_time: 5 },
        `${AT}/answerCallbackQuery {"callback_query_id":"9","text":"Done","show_alert":true,"cache_time":5}`,
      ],
    ],
    get_chat: [[{ chat_id: '@news' }, `${AT}/getChat {"chat_id":"@news"}`]],
    get_file: [[{ file_id: 'f' }, `${AT}/getFile {"file_id":"f"}`, DOWNLOAD]],
    pin_message: [
      [{ chat_id: '7', message_id: 4 }, `${AT}/pinChatMessage {"chat_id":"7","message_id":4}`],
      [
        { chat_id: '7', message_id: 4, disable_notification: true },
        `${AT}/pinChatMessage {"chat_id":"7","message_id":4,"disable_notification":true}`,
      ],
    ],
    send_poll: [
      [
        { chat_id: '7', question: 'Tea?', options: ['Yes', 'No'] },
        `${AT}/sendPoll {"chat_id":"7","question":"Tea?","options":["Yes","No"]}`,
      ],
      [
        {
          ...{ chat_id: '7', question: 'Tea?', options: ['Yes', 'No'], is_anonymous: false, type: 'quiz' },
          ...{ allows_multiple_answers: false, correct_option_id: 1, open_period: 60, ...delivery },
        },
        `${AT}/sendPoll {"chat_id":"7","question":"Tea?","options":["Yes","No"],"is_anonymous":false,"type":"quiz",` +
          '"allows_multiple_answers":false,"correct_option_id":1,"open_period":60,' +
          '"reply_to_message_id":3,"disable_notification":true}',
      ],
    ],
  });
});

it.each<[string, JsonObject]>([
  ['send_message', { chat_id: '7', text: 'Hi' }],
  ['send_photo', { chat_id: '7', photo: file }],
  ['send_document', { chat_id: '7', document: file }],
  ['edit_message', { chat_id: '7', message_id: 4, text: 'Hi' }],
  ['get_chat', { chat_id: '7' }],
  ['send_poll', { chat_id: '7', question: 'Tea?', options: ['Yes', 'No'] }],
])('%s returns the result of the response', async (name, input) => {
  expect((await runPiece(setting, name, input)).output).toEqual(result);
});

it.each([
  ['send_message', 'send', ['chat_id'], false],
  ['send_photo', 'send', ['chat_id'], false],
  ['send_document', 'send', ['chat_id'], false],
  ['send_poll', 'send', ['chat_id'], false],
  ['answer_callback', 'send', ['callback_query_id'], false],
  ['edit_message', 'write', ['chat_id'], true],
  ['pin_message', 'write', undefined, true],
  ['delete_message', 'delete', undefined, false],
  ['get_chat', 'read', undefined, true],
  ['get_file', 'read', undefined, true],
])('%s has the category %s', (name, category, recipients, idempotent) => {
  const { [name]: action } = telegram.actions;
  expect([action?.category, action?.recipients, action?.idempotent]).toEqual([category, recipients, idempotent]);
});

// The limits are those of the documentation: https://core.telegram.org/bots/api#available-methods
it.each([
  ['send_message', 'text', { minLength: 1, maxLength: 4_096 }],
  ['edit_message', 'text', { minLength: 1, maxLength: 4_096 }],
  ['send_photo', 'caption', { maxLength: 1_024 }],
  ['answer_callback', 'text', { maxLength: 200 }],
  ['send_poll', 'question', { minLength: 1, maxLength: 300 }],
  ['send_poll', 'open_period', { minimum: 5, maximum: 600 }],
  ['send_poll', 'options', { minItems: 2, maxItems: 10, items: { type: 'string', minLength: 1, maxLength: 100 } }],
])('%s has the bounds of Telegram for %s', (name, property, expected) => {
  expect(telegram.actions[name]?.props[property]?.schema).toMatchObject(expected);
});

describe('a file', () => {
  const reply = (path: unknown) => (request: Recorded) =>
    request.method === 'GET'
      ? { headers: { 'content-type': 'image/jpeg' }, body: 'bytes' }
      : json({ ok: true, result: { file_id: 'f', file_path: path } });

  it('is downloaded from its path', async () => {
    const got = await runPiece({ ...setting, reply: reply('photos/file_1.jpg') }, 'get_file', { file_id: 'f' });
    expect(got.asked).toEqual([`${AT}/getFile {"file_id":"f"}`, 'GET /file/bot1:canary/photos/file_1.jpg']);
    expect(got.urls[1]).toBe('https://api.telegram.org/file/bot1:canary/photos/file_1.jpg');
    expect(got.output).toEqual({ filename: 'file_1.jpg', mimeType: 'image/jpeg', base64: 'Ynl0ZXM=' });
    expect(got.received.slice(0, 1).flatMap(check)).toEqual([]);
    expect(checkResponse(description, 'POST /getFile', { result: { file_path: 'a' } })).toEqual([]);
  });

  it('is returned although it is JSON that looks like a failure', async () => {
    const content = { ok: false, error_code: 400, description: 'No' };
    const replies = (request: Recorded) => (request.method === 'GET' ? json(content) : reply('a.json')(request));
    const { output } = await runPiece({ ...setting, reply: replies }, 'get_file', { file_id: 'f' });
    expect(Buffer.from(String(output['base64']), 'base64').toString()).toBe(JSON.stringify(content));
  });

  it.each([404, 401, 500])('that is not found does not refuse the token: %i', async (status) => {
    const body = { ok: false, error_code: status, description: 'Not Found' };
    const replies = (request: Recorded) => (request.method === 'GET' ? json(body, status) : reply('a.jpg')(request));
    const error = await runPiece({ ...setting, reply: replies }, 'get_file', { file_id: 'f' }).catch((one) => one);
    expect(error).toMatchObject({ name: 'ProviderError', code: 'NO_FILE', retryable: status === 500 });
    expect(isCredentialRefused(telegram, error)).toBe(false);
  });

  it.each(['../x', 'a/../../x', '', 7, 'a?b', 'a#b'])('is not requested by the path %j', async (path) => {
    await expect(runPiece({ ...setting, reply: reply(path) }, 'get_file', { file_id: 'f' })).rejects.toThrow(
      'Telegram returned no valid path of the file',
    );
  });
});

describe('a failure', () => {
  it.each<JsonValue>([{}, { ok: true }, null, [], 'x'])('is not stated by %j', (body) => {
    expect(failedWhen(body)).toBeUndefined();
  });

  it('has the description and code of Telegram, also with status 200', async () => {
    const body = { ok: false, error_code: 400, description: 'Bad Request: chat not found' };
    for (const status of [200, 400]) {
      const run = runPiece({ ...setting, reply: () => json(body, status) }, 'get_chat', { chat_id: '7' });
      await expect(run).rejects.toMatchObject({ message: body.description, code: '400', retryable: false });
    }
  });

  it('of the rate limit names the seconds', async () => {
    const body = { ok: false, error_code: 429, description: 'Too Many Requests', parameters: { retry_after: 31 } };
    const run = runPiece({ ...setting, reply: () => json(body, 429) }, 'send_message', { chat_id: '7', text: 'Hi' });
    await expect(run).rejects.toMatchObject({ status: 429, retryable: true, retryAfter: 31 });
  });

  it.each([
    [401, true],
    [404, true],
    [400, false],
    [403, false],
  ])('with status %i refuses the token: %s', (status, expected) => {
    expect(isCredentialRefused(telegram, new ProviderError('No', { status }))).toBe(expected);
  });
});

it('tests a token by its bot', async () => {
  const { received, send, close } = await startThirdParty(() => json({ ok: true, result: { id: 1 } }));
  await testCredential(telegram, { credential, send });
  await close();
  expect(received.map(toLine)).toEqual(['GET /bot1%3Acanary/getMe']);
});
