import { elicitedBy, elicitUrl } from './elicit.js';

const PAGE = { message: 'Connect', url: 'https://x/connect' };

it('leads to a page whoever says that it can, once for a call', () => {
  const first = elicitUrl(elicitedBy({}, true), { ...PAGE, requestState: 'k' });
  expect(first).toEqual({
    inputRequired: {
      ...{ resultType: 'input_required', requestState: 'k' },
      inputRequests: { page: { method: 'elicitation/create', params: { mode: 'url', ...PAGE } } },
    },
  });
  const again = elicitedBy({ inputResponses: { page: { action: 'accept' } }, requestState: 'k' }, true);
  expect(again).toEqual({ mayAsk: false, isDeclined: false, requestState: 'k' });
  expect(elicitUrl(again, PAGE)).toBeUndefined();
});

it.each(['decline', 'cancel'])('takes %s for a no', (action) => {
  expect(elicitedBy({ inputResponses: { page: { action } } }, true).isDeclined).toBe(true);
});

it('takes no word of a client that leads nobody anywhere', () => {
  const params = { inputResponses: { page: { action: 'decline' } }, requestState: 'k' };
  expect(elicitedBy(params, false)).toEqual({ mayAsk: false, isDeclined: false });
});

it.each([7, '', 'k'.repeat(256), { key: 'k' }, null])('takes no other state than a key: %j', (requestState) => {
  expect(elicitedBy({ requestState }, true)).not.toHaveProperty('requestState');
});
