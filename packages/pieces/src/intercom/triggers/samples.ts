/** An example of an event. */
export const CONVERSATION = {
  ...{ id: '471', title: null, state: 'open', open: true, read: false, created_at: 1769850000, updated_at: 1769850000 },
  ...{ subject: '', body: '<p>Hello</p>', author: 'ada@example.com', authorId: '6762f1261bb69f9f2193bbc1' },
  ...{ contacts: ['6762f1261bb69f9f2193bbc1'], tags: [] },
};
