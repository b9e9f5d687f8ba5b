import {
  deleteIfThere,
  expandPath,
  isRecent,
  isSignedByKey,
  listAt,
  oneSubscription,
  ProviderError,
  readBody,
  staticMultiSelect,
  textAt,
  trigger,
  type Http,
  type JsonObject,
  type JsonValue,
} from '@drawbridge/piece-kit';

const PATH = '/v3/user/webhooks/event/settings';
const TYPES = [
  ...(['processed', 'dropped', 'deferred', 'bounce', 'delivered', 'open', 'click', 'spam_report'] as const),
  ...(['unsubscribe', 'group_unsubscribe', 'group_resubscribe'] as const),
];

/** SendGrid repeats a request for a day. Its documentation does not state whether a repeated request is signed again. */
const MAX_AGE_SECONDS = 25 * 60 * 60;

/** Runs for each event of an email, such as its delivery: https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event */
export const emailEvent = trigger({
  kind: 'webhook',
  displayName: 'Email event',
  description:
    'Runs when emails are delivered, opened, clicked, bounced or reported, once for each event and recipient.',
  props: {
    events: staticMultiSelect('Events', TYPES, {
      required: true,
      description: 'Event types: ["delivered", "bounce"].',
    }),
  },
  sample: {
    email: 'ann@acme.example',
    timestamp: 1_767_225_600,
    event: 'delivered',
    category: ['invoices'],
    sg_event_id: 'ZGVsaXZlcmVkLTAtMTg0ODc5MTItWGV0NmJaN1dSVEcyZllEYS1wN2Fydy0w',
    sg_message_id: 'Xet6bZ7WRTG2fYDa-p7arw.recvd-865cf6bb5-jhhw2-1-5F58E73D-D2.0',
    'smtp-id': '<Xet6bZ7WRTG2fYDa-p7arw@geopod-ismtpd-0>',
    response: '250 OK',
  },
  ...oneSubscription<{ events: (typeof TYPES)[number][] }>({
    list: async function* ({ http }) {
      yield* listAt(await http.json({ method: 'GET', path: `${PATH}/all` }), 'webhooks');
    },
    create: async ({ http, input, webhookUrl }) => {
      const wanted = Object.fromEntries(TYPES.map((type) => [type, input.events.includes(type)]));
      const json = { url: webhookUrl, enabled: true, friendly_name: 'Drawbridge', ...wanted };
      const id = textAt(await http.json({ method: 'POST', path: PATH, json }), 'id');
      if (!id) throw new ProviderError('SendGrid returned a webhook without an id');
      return { state: { id }, secret: await publicKeyOf(http, id) };
    },
    remove: ({ http }, id) => deleteIfThere(http, expandPath(`${PATH}/{id}`, { id })),
  }),
  // Checks the signature of a request with the public key:
  // https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features
  verify: ({ headers, body }, { secret: publicKey, now }) => {
    const time = headers['x-twilio-email-event-webhook-timestamp'];
    if (time === undefined || !isRecent(time, now, MAX_AGE_SECONDS)) return false;
    const signature = headers['x-twilio-email-event-webhook-signature'];
    const content = [time, body];
    return isSignedByKey({ algorithm: 'ecdsa-sha256', publicKey, content, signature, encoding: 'base64' });
  },
  events: ({ body }) => {
    const sent = readBody({ headers: { 'content-type': 'application/json' }, body });
    if (!Array.isArray(sent)) throw new Error('The signed body from SendGrid is not a JSON list');
    return sent.map((data) => ({ id: requireId(data), data: data as JsonObject }));
  },
});

/** Enables signatures and returns their public key. Deletes the webhook on failure, because an account can have only a few. */
async function publicKeyOf(http: Http, id: string): Promise<string> {
  try {
    const json = { enabled: true };
    const signed = await http.json({ method: 'PATCH', path: expandPath(`${PATH}/signed/{id}`, { id }), json });
    const key = textAt(signed, 'public_key');
    if (!key) throw new ProviderError('SendGrid returned a webhook without a public key');
    return key;
  } catch (error) {
    await http.send({ method: 'DELETE', path: expandPath(`${PATH}/{id}`, { id }) }).catch(() => undefined);
    throw error;
  }
}

function requireId(event: JsonValue): string {
  const id = textAt(event, 'sg_event_id');
  if (!id) throw new Error('The signed event from SendGrid has no sg_event_id');
  return id;
}
