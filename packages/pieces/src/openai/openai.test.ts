import { isCredentialRefused, type JsonObject, ProviderError, testCredential } from '@drawbridge/piece-kit';
import { checkResponse } from '../../testing/check-request.js';
import { readDescription } from '../../testing/read-description.js';
import { json, optionsOf, runPiece, type Setting } from '../../testing/run-piece.js';
import { type Recorded, type Reply, startThirdParty } from '../../testing/third-party.js';
import { by, itIsAccepted } from '../../testing/witness.js';
import { openai } from './index.js';

const description = readDescription('openai');
// Replaces `oneOf`, because the alternatives of an input message overlap in the description, so that a valid message matches several of them.
const check = by(JSON.parse(JSON.stringify(description).replaceAll('"oneOf"', '"anyOf"')));
const credential = { type: 'SECRET_TEXT', secretText: 'sk-canary' } as const;

const image = { data: [{ b64_json: 'aGk=' }, { b64_json: 'aG8=' }], output_format: 'webp', usage: { total_tokens: 3 } };
const reply = ({ url }: Recorded): Reply => json(url.startsWith('/v1/images') ? image : {});
const setting: Setting = { piece: openai, credential, reply };
const run = (action: string, input: JsonObject, answer: Setting['reply'] = reply) =>
  runPiece({ ...setting, reply: answer }, action, input);

const picture = { filename: 'a.png', mimeType: 'image/png', base64: 'aGk=' };
const pdf = { filename: 'a.pdf', mimeType: 'application/pdf', base64: 'aGk=' };
const audio = { filename: 'a.mp3', mimeType: 'audio/mpeg', base64: 'aGk=' };
const lines = { filename: 'a.jsonl', mimeType: 'application/jsonl', base64: 'e30K' };
const messages = [{ role: 'user', content: 'Hi' }];
const schema = { type: 'object', properties: {}, additionalProperties: false };
const message = (content: string): string =>
  `[{"role":"user","content":[{"type":"input_text","text":"Hi"},${content}]}]`;

describe('requests', () => {
  itIsAccepted(setting, check, {
    respond: [
      [{ model: 'gpt-5.1', input: 'Hi' }, 'POST /v1/responses {"model":"gpt-5.1","input":"Hi"}'],
      [
        {
          ...{ model: 'gpt-5.1', input: 'Hi', instructions: 'Be kind', file: picture, previous_response_id: 'resp_1' },
          ...{ json_schema: schema, tools: [{ type: 'web_search' }], max_output_tokens: 16, reasoning_effort: 'low' },
          ...{ verbosity: 'high', temperature: 0.5, background: true, store: true, metadata: { order: '1' } },
        },
        'POST /v1/responses {"model":"gpt-5.1","instructions":"Be kind","previous_response_id":"resp_1"' +
          ',"tools":[{"type":"web_search"}],"max_output_tokens":16,"temperature":0.5,"background":true,"store":true' +
          `,"metadata":{"order":"1"},"input":${message('{"type":"input_image","image_url":"data:image/png;base64,aGk=","detail":"auto"}')}` +
          ',"reasoning":{"effort":"low"},"text":{"format":{"type":"json_schema","name":"result","strict":true' +
          `,"schema":${JSON.stringify(schema)}},"verbosity":"high"}}`,
      ],
      [
        { model: 'gpt-5.1', input: 'Hi', file: pdf },
        `POST /v1/responses {"model":"gpt-5.1","input":${message('{"type":"input_file","filename":"a.pdf","file_data":"data:application/pdf;base64,aGk="}')}}`,
      ],
    ],
    get_response: [[{ response_id: 'resp_1' }, 'GET /v1/responses/resp_1']],
    chat: [
      [
        { model: 'gpt-5.1', messages },
        'POST /v1/chat/completions {"model":"gpt-5.1","messages":[{"role":"user","content":"Hi"}]}',
      ],
      [
        {
          ...{ model: 'gpt-5.1', messages: [{ role: 'developer', content: [{ type: 'text', text: 'Hi' }] }] },
          ...{ max_completion_tokens: 9, reasoning_effort: 'none', temperature: 2, stop: ['.'] },
          response_format: { type: 'json_object' },
        },
        'POST /v1/chat/completions {"model":"gpt-5.1","messages":[{"role":"developer","content":[{"type":"text","text":"Hi"}]}]' +
          ',"max_completion_tokens":9,"reasoning_effort":"none","temperature":2,"response_format":{"type":"json_object"},"stop":["."]}',
      ],
    ],
    embed: [
      [{ model: 'm', input: ['Hi'] }, 'POST /v1/embeddings {"model":"m","input":["Hi"]}'],
      [
        { model: 'm', input: ['Hi', 'Ho'], dimensions: 8 },
        'POST /v1/embeddings {"model":"m","input":["Hi","Ho"],"dimensions":8}',
      ],
    ],
    create_image: [
      [
        { model: 'gpt-image-1.5', prompt: 'A cat' },
        'POST /v1/images/generations {"model":"gpt-image-1.5","prompt":"A cat"}',
      ],
      [
        {
          ...{ model: 'dall-e-3', prompt: 'A cat', n: 4, size: '1024x1024', quality: 'hd' },
          ...{ background: 'transparent', output_format: 'webp', output_compression: 50 },
        },
        'POST /v1/images/generations {"model":"dall-e-3","prompt":"A cat","n":4,"size":"1024x1024","quality":"hd"' +
          ',"background":"transparent","output_format":"webp","output_compression":50,"response_format":"b64_json"}',
      ],
    ],
    edit_image: [
      [
        { model: 'gpt-image-1.5', image: picture, prompt: 'A cat' },
        'POST /v1/images/edits model=gpt-image-1.5&prompt=A cat&image=@a.png;image/png;hi',
      ],
      [
        {
          ...{ model: 'dall-e-2', image: picture, prompt: 'A cat', mask: picture, n: 2, size: 'auto', quality: 'low' },
          ...{ input_fidelity: 'high', background: 'auto', output_format: 'jpeg', output_compression: 0 },
        },
        'POST /v1/images/edits model=dall-e-2&prompt=A cat&n=2&size=auto&quality=low&input_fidelity=high&background=auto' +
          '&output_format=jpeg&output_compression=0&response_format=b64_json&image=@a.png;image/png;hi&mask=@a.png;image/png;hi',
      ],
    ],
    transcribe: [
      [{ model: 'whisper-1', file: audio }, 'POST /v1/audio/transcriptions model=whisper-1&file=@a.mp3;audio/mpeg;hi'],
      [
        {
          ...{ model: 'whisper-1', file: audio, language: 'en', prompt: 'Names', response_format: 'verbose_json' },
          ...{ timestamp_granularities: ['word', 'segment'], chunking_strategy: 'auto', temperature: 0.5 },
        },
        'POST /v1/audio/transcriptions model=whisper-1&language=en&prompt=Names&response_format=verbose_json' +
          '&chunking_strategy=auto&temperature=0.5&timestamp_granularities[]=word&timestamp_granularities[]=segment' +
          '&file=@a.mp3;audio/mpeg;hi',
      ],
    ],
    speak: [
      [
        { model: 'tts-1', input: 'Hi', voice: 'marin' },
        'POST /v1/audio/speech {"model":"tts-1","input":"Hi","voice":"marin"}',
      ],
      [
        { model: 'm', input: 'Hi', voice: 'ash', instructions: 'Slow', response_format: 'opus', speed: 0.25 },
        'POST /v1/audio/speech {"model":"m","input":"Hi","voice":"ash","instructions":"Slow","response_format":"opus","speed":0.25}',
      ],
    ],
    moderate: [
      [{ input: 'Hi' }, 'POST /v1/moderations {"input":"Hi"}'],
      [
        { input: 'Hi', model: 'omni-moderation-latest' },
        'POST /v1/moderations {"input":"Hi","model":"omni-moderation-latest"}',
      ],
    ],
    list_models: [[{}, 'GET /v1/models']],
    upload_file: [
      [{ file: lines, purpose: 'batch' }, 'POST /v1/files purpose=batch&file=@a.jsonl;application/jsonl;{}\n'],
      [
        { file: lines, purpose: 'user_data', expires_after_seconds: 3600 },
        'POST /v1/files purpose=user_data&expires_after[anchor]=created_at&expires_after[seconds]=3600' +
          '&file=@a.jsonl;application/jsonl;{}\n',
      ],
    ],
    download_file: [[{ file_id: 'file-1' }, 'GET /v1/files/file-1/content']],
    create_batch: [
      [
        { input_file_id: 'file-1', endpoint: '/v1/responses' },
        'POST /v1/batches {"input_file_id":"file-1","endpoint":"/v1/responses","completion_window":"24h"}',
      ],
      [
        { input_file_id: 'file-1', endpoint: '/v1/embeddings', metadata: { order: '1' } },
        'POST /v1/batches {"input_file_id":"file-1","endpoint":"/v1/embeddings","completion_window":"24h","metadata":{"order":"1"}}',
      ],
    ],
    get_batch: [[{ batch_id: 'batch_1' }, 'GET /v1/batches/batch_1']],
  });

  it('have a time limit within that of a run', () => {
    const limits = Object.values(openai.actions).flatMap(({ timeoutMs = 0 }) => timeoutMs);
    expect(Math.max(...limits)).toBe(55_000);
  });
});

describe('answers', () => {
  const said = (text: string) => ({ type: 'message', content: [{ type: 'output_text', text }, { type: 'refusal' }] });
  const response = { id: 'resp_1', status: 'completed', output: [{ type: 'reasoning' }, said('Hel'), said('lo')] };

  it.each(['respond', 'get_response'])('of %s have the text of all messages', async (action) => {
    expect(checkResponse(description, 'GET /responses/{response_id}', response)).toEqual([]);
    const input: JsonObject = action === 'respond' ? { model: 'm', input: 'Hi' } : { response_id: 'resp_1' };
    const { output } = await run(action, input, () => json(response));
    expect(output).toEqual({ ...response, output_text: 'Hello' });
  });

  it('without a message have no text', async () => {
    const queued = { id: 'resp_1', status: 'queued', output: [] };
    const { output } = await run('get_response', { response_id: 'resp_1' }, () => json(queued));
    expect(output).toEqual({ ...queued, output_text: '' });
  });

  it.each(['create_image', 'edit_image'])('of %s are files', async (action) => {
    expect(checkResponse(description, 'POST /images/generations', image)).toEqual([]);
    const { output } = await run(action, { model: 'gpt-image-1.5', image: picture, prompt: 'A cat' });
    expect(output).toEqual({
      images: [
        { filename: 'image-1.webp', mimeType: 'image/webp', base64: 'aGk=' },
        { filename: 'image-2.webp', mimeType: 'image/webp', base64: 'aG8=' },
      ],
      usage: { total_tokens: 3 },
    });
    const older = await run(action, { model: 'dall-e-2', image: picture, prompt: 'A' }, () =>
      json({ data: image.data }),
    );
    expect(older.output).toMatchObject({ images: [{ filename: 'image-1.png' }, {}], usage: null });
    const none = run(action, { model: 'm', image: picture, prompt: 'A cat' }, () => json({ data: [{}] }));
    await expect(none).rejects.toThrow('OpenAI returned no image');
  });

  it('of transcribe have the text, whatever the format', async () => {
    const spoken = { text: 'Hello' };
    expect(checkResponse(description, 'POST /audio/transcriptions', spoken)).toEqual([]);
    const input = { model: 'whisper-1', file: audio };
    expect((await run('transcribe', input, () => json(spoken))).output).toEqual(spoken);
    const subtitles = { headers: { 'content-type': 'text/plain; charset=utf-8' }, body: '1\n00:00 --> 00:01\nHello' };
    expect((await run('transcribe', input, () => subtitles)).output).toEqual({ text: subtitles.body });
  });

  it('of speak and download_file are files', async () => {
    const sound = { headers: { 'content-type': 'audio/mpeg' }, body: Uint8Array.of(0xff, 0) };
    const spoken = await run('speak', { model: 'm', input: 'Hi', voice: 'ash' }, () => sound);
    expect(spoken.output).toEqual({ filename: 'speech.mp3', mimeType: 'audio/mpeg', base64: '/wA=' });
    const wav = await run('speak', { model: 'm', input: 'Hi', voice: 'ash', response_format: 'wav' }, () => sound);
    expect(wav.output).toMatchObject({ filename: 'speech.wav' });

    const headers = {
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename="out.jsonl"',
    };
    const { output } = await run('download_file', { file_id: 'file-1' }, () => ({ headers, body: '{}' }));
    expect(output).toEqual({ filename: 'out.jsonl', mimeType: 'application/octet-stream', base64: 'e30=' });
  });

  it('of list_models are items', async () => {
    expect((await run('list_models', {}, () => json({ data: [{ id: 'm' }] }))).output).toEqual({
      items: [{ id: 'm' }],
    });
  });
});

describe('options', () => {
  const ids = [
    ...['gpt-5.1', 'o3-pro', 'chatgpt-4o-latest', 'gpt-4o-transcribe', 'gpt-4o-mini-tts', 'gpt-audio', 'gpt-realtime'],
    ...['gpt-image-1.5', 'chatgpt-image-latest', 'dall-e-3', 'whisper-1', 'tts-1', 'text-embedding-3-small'],
    ...['omni-moderation-latest', 'sora-2'],
  ];
  const list = { data: ids.map((id) => ({ id })) };

  it.each([
    ['respond', ['gpt-5.1', 'o3-pro', 'chatgpt-4o-latest']],
    ['chat', ['gpt-5.1', 'o3-pro', 'chatgpt-4o-latest']],
    ['embed', ['text-embedding-3-small']],
    ['create_image', ['gpt-image-1.5', 'chatgpt-image-latest', 'dall-e-3']],
    ['transcribe', ['gpt-4o-transcribe', 'whisper-1']],
    ['speak', ['gpt-4o-mini-tts', 'tts-1']],
    ['moderate', ['omni-moderation-latest']],
  ])('list the models of %s', async (action, expected) => {
    expect(checkResponse(description, 'GET /models', list)).toEqual([]);
    const { output, asked } = await optionsOf({ ...setting, reply: () => json(list) }, [action, 'model']);
    expect(output.options.map(({ value }) => value)).toEqual(expected);
    expect(asked).toEqual(['GET /v1/models']);
  });

  it.each([
    ['create_batch.input_file_id', 'GET /v1/files?purpose=batch&limit=100', 'a.jsonl'],
    ['download_file.file_id', 'GET /v1/files?limit=100', 'a.jsonl, batch'],
    ['get_batch.batch_id', 'GET /v1/batches?limit=100', 'x-1, completed'],
  ])('of %s are on several pages', async (select, first, label) => {
    const [action = '', property = ''] = select.split('.');
    const isFile = first.includes('files');
    const data = (id: string) => [
      { id, ...(isFile ? { filename: 'a.jsonl', purpose: 'batch' } : { status: 'completed' }) },
    ];
    const page = { data: data('x-1'), has_more: true, last_id: 'x-1' };
    expect(checkResponse(description, isFile ? 'GET /files' : 'GET /batches', page)).toEqual([]);
    const last = { data: data('x-2'), has_more: false, last_id: 'x-2' };
    const paged = ({ url }: Recorded): Reply => json(url.includes('after=x-1') ? last : page);
    const { output, asked, received } = await optionsOf({ ...setting, reply: paged }, [action, property]);
    expect(output.options.map(({ value }) => value)).toEqual(['x-1', 'x-2']);
    expect(output.options[0]?.label).toBe(label);
    expect(asked).toEqual([first, `${first}&after=x-1`]);
    expect(received.flatMap(check)).toEqual([]);
  });

  it('of voices need no request', async () => {
    const { output, asked } = await optionsOf(setting, ['speak', 'voice'], {}, 'mar');
    expect([output.options, asked]).toEqual([[{ label: 'marin', value: 'marin' }], []]);
    const voices = openai.actions['speak']?.props['voice']?.loadOptions;
    const known = JSON.stringify(description.operations['POST /audio/speech']?.body);
    const { http, input, search, auth, signal } = {} as never;
    const all = (await voices?.({ http, input, search, auth, signal })) as readonly { value: string }[];
    expect(all.filter(({ value }) => !known.includes(`"${value}"`))).toEqual([]);
  });
});

describe('failures', () => {
  const failing = (status: number, error: JsonObject, headers = {}) =>
    run('respond', { model: 'm', input: 'Hi' }, () => json({ error }, status, headers));

  it("have OpenAI's message and code", async () => {
    const error = {
      message: "The model 'm' does not exist",
      type: 'invalid_request_error',
      param: null,
      code: 'model_not_found',
    };
    await expect(failing(404, error)).rejects.toMatchObject({
      ...{ name: 'ProviderError', status: 404, code: 'model_not_found', retryable: false },
      message: "The model 'm' does not exist",
    });
  });

  it.each([
    [{ 'x-ratelimit-reset-requests': '6m0s' }, 360],
    [{ 'x-ratelimit-reset-requests': '12ms', 'x-ratelimit-reset-tokens': '1s' }, 0.012],
    [{ 'x-ratelimit-reset-tokens': '59.5s' }, 59.5],
    [{ 'retry-after': '2', 'x-ratelimit-reset-requests': '1s' }, 2],
  ])('of a rate limit say for how long: %j', async (headers, retryAfter) => {
    const error = { message: 'Rate limit reached', type: 'requests', param: null, code: 'rate_limit_exceeded' };
    await expect(failing(429, error, headers)).rejects.toMatchObject({ retryable: true, retryAfter });
  });

  it.each([
    ...['insufficient_quota', 'credit_balance_exhausted', 'organization_spend_limit_exceeded'],
    ...['organization_usage_limit_exceeded', 'project_spend_limit_exceeded'],
  ])('with the code %s are not retryable', async (code) => {
    const error = { message: 'You exceeded your current quota', type: 'insufficient_quota', param: null, code };
    const headers = { 'x-ratelimit-reset-requests': '1s' };
    await expect(failing(429, error, headers)).rejects.toMatchObject({ status: 429, code, retryable: false });
  });

  it('mean a refused key only with its code', () => {
    const isRefused = (code?: string) => isCredentialRefused(openai, new ProviderError('No', { status: 401, code }));
    expect(['invalid_api_key', 'invalid_request_error', undefined].map(isRefused)).toEqual([true, false, false]);
  });
});

it.each([
  ['accepts a key', 200, {}, undefined],
  [
    'accepts a key that cannot list models',
    401,
    { message: 'You have insufficient permissions for this operation. Missing scopes: api.model.read.' },
    undefined,
  ],
  ['refuses an unknown key', 401, { message: 'Incorrect API key provided', code: 'invalid_api_key' }, { status: 401 }],
  ['refuses a key that cannot be used here', 403, { message: 'Country not supported' }, { status: 403 }],
])('%s', async (_, status, error, refusal) => {
  const { send, close, received } = await startThirdParty(() => json({ error }, status));
  const outcome = await testCredential(openai, { credential, send }).catch((thrown: unknown) => thrown);
  await close();
  expect(received.map(({ url, headers }) => [url, headers.authorization])).toEqual([
    ['/v1/models', 'Bearer sk-canary'],
  ]);
  if (refusal) expect(outcome).toMatchObject(refusal);
  else expect(outcome).toBeUndefined();
});
