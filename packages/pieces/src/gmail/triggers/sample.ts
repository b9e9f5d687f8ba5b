/** A message as the triggers report it. */
export const MESSAGE = {
  id: '18d0c6f1a2b3c4d5',
  threadId: '18d0c6f1a2b3c4d5',
  labelIds: ['INBOX', 'UNREAD'],
  from: { name: 'Ann Doe', address: 'ann@acme.example' },
  replyTo: [],
  to: [{ name: '', address: 'bo@acme.example' }],
  cc: [],
  subject: 'The offer',
  date: '2026-01-31T09:00:00.000Z',
  snippet: 'Hello Bo, here is the offer.',
  text: 'Hello Bo, here is the offer.',
  html: null,
  isCut: false,
  attachments: [{ id: '1', filename: 'offer.pdf', mimeType: 'application/pdf', size: 1_024 }],
};
