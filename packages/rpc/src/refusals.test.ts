import { type ApiError } from '@drawbridge/contracts';
import { type Workspace } from '@drawbridge/proto/drawbridge/members/v1/workspaces';
import { getWorkspace, type Opened, TRANSPORTS } from './testing/networks.js';

describe.each(TRANSPORTS)('a refusal %s', (_name, open) => {
  let opened: Opened;
  beforeAll(async () => (opened = await open()));
  afterAll(() => opened.close());

  const get = (id: string): Promise<Workspace> => getWorkspace(opened.as('gateway'), { id });
  const refusalOf = (id: string): Promise<ApiError> =>
    get(id).then(
      () => Promise.reject(new Error('was answered')),
      (error: ApiError) => error,
    );

  it('arrives with its status, code and details', async () => {
    expect(await refusalOf('refuse')).toMatchObject({
      code: 'VALIDATION_ERROR',
      status: 400,
      details: { fields: { 'values[0].name': { message: 'is wrong' } } },
    });
  });

  it('shows nothing of an unexpected error', async () => {
    const error = await refusalOf('break');
    expect(error).toMatchObject({ code: 'INTERNAL', status: 500, details: { requestId: 'r-1' } });
    expect(error.message).not.toContain('secret');
  });

  it('names a unique violation DUPLICATE', async () => {
    expect(await refusalOf('duplicate')).toMatchObject({ code: 'DUPLICATE', message: 'Api key already exists' });
  });

  it.each([
    ['halves of characters', 'halves', 'ACTION_FAILED'],
    ['31,000 Chinese characters', 'han', 'ACTION_FAILED'],
    ['long names of faces', 'faces', 'VALIDATION_ERROR'],
    ['a value without JSON', 'circle', 'ACTION_FAILED'],
  ])('arrives when it quotes %s', async (_, id, code) => {
    expect(await refusalOf(id)).toMatchObject({ code, status: 400, details: expect.any(Object) });
  });

  it.each([
    ['is too large', 'huge'],
    ['does not fit the message type', 'wrong'],
  ])('is INTERNAL, which is not retried, if the response %s', async (_, id) => {
    expect(await refusalOf(id)).toMatchObject({ code: 'INTERNAL', status: 500, details: { requestId: 'r-1' } });
  });
});
