/** What an invitation's mail says. Names are others' words: the mail shows them as text. */
export function invitationMail({
  organization,
  link,
  expiresAt,
}: {
  organization: string;
  link: string;
  expiresAt: Date;
}) {
  const name = organization.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  const until = expiresAt.toISOString().slice(0, 10);
  const sentences = {
    invites: `You are invited to join ${name} on Drawbridge.`,
    open: `The invitation is for this email address and open until ${until}.`,
    unknown: 'If you do not know who sent it, you need not do anything.',
  };
  return {
    subject: `Join ${name} on Drawbridge`,
    text: `${sentences.invites}\n\nAccept: ${link}\n\n${sentences.open} ${sentences.unknown}\n`,
    html: [
      '<!doctype html><html lang="en"><meta charset="utf-8"><body style="font:16px/1.5 sans-serif;max-width:36em">',
      `<p>${escaped(sentences.invites)}</p>`,
      `<p><a href="${escaped(link)}">Accept the invitation</a></p>`,
      `<p>${sentences.open} ${sentences.unknown}</p>`,
      '</body></html>',
    ].join('\n'),
  };
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => ENTITIES[mark]!);
}
