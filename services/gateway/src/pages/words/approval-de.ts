import { type approvalEn } from './approval-en.js';

export const approvalDe: typeof approvalEn = {
  title: (action, integration) => `${action} in ${integration}`,
  lead: (organization) => `${organization} fragt einen Menschen, bevor das geschieht.`,
  status: {
    pending: 'Wartet auf eine Entscheidung',
    approved: 'Genehmigt',
    consumed: 'Genehmigt und geschehen',
    rejected: 'Abgelehnt',
    canceled: 'Zurückgezogen',
    expired: 'Niemand hat rechtzeitig entschieden',
  },
  meaning: {
    pending: 'Es geschieht nichts, bis jemand zustimmt.',
    approved: 'Es geschieht einmal, sobald es wieder verlangt wird.',
    consumed: 'Es ist einmal geschehen und geschieht nicht noch einmal.',
    rejected: 'Es geschieht nicht.',
    canceled: 'Niemand muss mehr entscheiden. Es geschieht nicht.',
    expired: 'Es geschieht nicht.',
  },
  by: (how, who, date) =>
    how === 'hosted_link'
      ? `Entschieden über den Link zu dieser Seite, am ${date}.`
      : `Entschieden von ${how === 'api_key' ? 'einem Programm von ' : ''}${who}, am ${date}.`,
  endUser: 'der Person, für die es ist',
  somebodyOf: (organization) => `jemandem von ${organization}`,
  because: 'Angegebener Grund',
  what: 'Was geschehen wird',
  action: 'Aktion',
  account: 'Mit dem Konto',
  noAccount: 'keines',
  person: 'Für',
  askedBy: 'Verlangt von',
  sources: {
    rest: 'einem Programm, über die REST-Schnittstelle',
    sdk: 'einem Programm, über das SDK',
    playground: 'einem Menschen, zum Ausprobieren',
    mcp_tools: 'einem KI-Agenten, mit einem MCP-Werkzeug',
    mcp_code: 'einem KI-Agenten, mit Code, den er schrieb',
    trigger: 'einem Automatismus, nach einem Ereignis',
  },
  since: 'Seit',
  until: 'Zu entscheiden bis',
  runsUntil: 'Darf geschehen bis',
  why: 'Warum Sie gefragt werden',
  input: 'Was gesendet wird',
  nothing: 'Nichts.',
  showAll: (characters) => `Alle ${characters.toLocaleString('de')} Zeichen zeigen oder verbergen`,
  truncated: 'Dieses Feld kann hier nicht vollständig gezeigt werden.',
  size: (bytes, sha256) => `Der Wert hat ${bytes.toLocaleString('de')} Bytes. SHA-256: ${sha256}`,
  omitted: (fields) =>
    fields === 1
      ? 'Ein weiteres Feld wird gesendet und kann hier nicht gezeigt werden.'
      : `${fields.toLocaleString('de')} weitere Felder werden gesendet und können hier nicht gezeigt werden.`,
  tooLarge:
    'Mit diesem Link können Sie die Anfrage ablehnen, aber nicht genehmigen, denn die Seite kann nicht alles zeigen, was gesendet wird. Genehmigen kann, wer sich anmeldet und entscheiden darf.',
  hidden: (paths) => `Hier verborgen: ${paths}`,
  approve: 'Genehmigen …',
  reject: 'Ablehnen …',
  mayNot:
    'Sie dürfen das sehen, aber nicht entscheiden. Das können Inhaber, Administratoren und die, die in der Richtlinie stehen.',
  suspended:
    'Das kann gerade niemand entscheiden: Der Arbeitsbereich, zu dem es gehört, ruht. Inhaber und Administratoren können ihn wieder öffnen.',
  live: 'Diese Seite sieht alle 30 Sekunden nach, ob jemand anderes entschieden hat.',
  still: 'Seite anhalten',
  look: 'Noch einmal nachsehen',
  ask: {
    approve: { title: 'Genehmigen?', submit: 'Genehmigen' },
    reject: { title: 'Ablehnen?', submit: 'Ablehnen' },
  },
  reason: 'Grund',
  reasonHint: 'Sie können das leer lassen. Es bleibt bei der Entscheidung, und andere können es lesen.',
  tooLong: 'Höchstens 1.000 Zeichen.',
  back: 'Zurück, ohne zu entscheiden',
  late: 'Es war schon entschieden: Nichts hat sich geändert.',
  over: {
    title: 'Dieser Link gilt nicht',
    text: 'Er ist nicht vollständig, oder es gibt nicht mehr, worum es ging. Bitten Sie um einen neuen, wer ihn Ihnen gegeben hat.',
  },
  none: {
    title: 'Hier gibt es diese Anfrage nicht',
    text: 'Sie ist gelöscht, wird nur über ihren Link entschieden oder gehört einer anderen Ihrer Organisationen: Wählen Sie diese in Ihrem Konto und öffnen Sie die Seite noch einmal.',
  },
};
