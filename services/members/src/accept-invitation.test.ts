import { type FoundInvitation, requireAcceptable } from './accept-invitation.js';

const OPEN: FoundInvitation = { email: 'ann@acme.example', role: 'member', status: 'pending', isOver: false };
const ann = 'ann@acme.example';
const bob = 'bob@acme.example';

describe('an invitation', () => {
  it('is accepted by whose email it names', () => {
    expect(requireAcceptable(OPEN, 'i', ann)).toBe(OPEN);
  });

  it.each([
    ['is not there', undefined, ann, 'NOT_FOUND'],
    ['was accepted', { ...OPEN, status: 'accepted' }, ann, 'NOT_FOUND'],
    ['was canceled', { ...OPEN, status: 'canceled' }, bob, 'NOT_FOUND'],
    ['is in a state that is not known', { ...OPEN, status: 'strange' }, ann, 'NOT_FOUND'],
    ['is for another', OPEN, bob, 'FORBIDDEN'],
    ['is for another than a user who is gone', OPEN, undefined, 'FORBIDDEN'],
    ['is for another, and over', { ...OPEN, isOver: true }, bob, 'FORBIDDEN'],
    ['is over', { ...OPEN, isOver: true }, ann, 'EXPIRED'],
    ['made room for a new one', { ...OPEN, status: 'expired' }, ann, 'EXPIRED'],
  ])('is refused when it %s', (_why, invitation, email, code) => {
    expect(() => requireAcceptable(invitation, 'i', email)).toThrow(expect.objectContaining({ code }));
  });
});
