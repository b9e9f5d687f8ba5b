import { type authorizeEn } from './authorize-en.js';

/** Was die Seite sagt, auf der ein Mensch ein Programm für sich handeln lässt. */
export const authorizeDe: typeof authorizeEn = {
  title: (client) => `${client} zulassen?`,
  lead: (client, server) => `${client} möchte „${server}“ für Sie benutzen.`,
  unnamed: 'Ein Programm ohne Namen',
  unchecked: 'Wie es sich nennt, hat niemand geprüft. Fahren Sie nur fort, wenn Sie das eben selbst begonnen haben.',
  program: 'Programm',
  goesTo: 'Danach werden Sie geleitet zu',
  onThisDevice: (place) => `einem Programm auf diesem Gerät (${place})`,
  may: 'Es darf',
  scopes: { 'mcp:tools': 'die Werkzeuge dort benutzen', 'mcp:code': 'dort Code ausführen, der die Werkzeuge benutzt' },
  tools: 'Werkzeuge, die es benutzen kann',
  noTools: 'Im Augenblick gibt es keine Werkzeuge.',
  counts: (tools, integrations) =>
    `${tools === 1 ? '1 Werkzeug' : `${tools.toLocaleString('de')} Werkzeuge`} aus ${integrations === 1 ? '1 Integration' : `${integrations} Integrationen`}.`,
  effects: {
    payment: 'bezahlt',
    delete: 'löscht',
    send: 'sendet',
    admin: 'verwaltet',
    code: 'führt Code aus',
    write: 'schreibt',
    read: 'liest nur',
  },
  account: (name) => `Mit dem Konto ${name}`,
  noAccount: 'Ohne Konto',
  ownAccount: 'Mit einem Konto von Ihnen, das Sie verbinden, wenn es zum ersten Mal gebraucht wird',
  missingAccount: 'Es ist kein Konto verbunden',
  mayChange: 'Die Organisation kann diese Liste später ändern.',
  you: 'Sie sind',
  newPerson: (email) => `${email}, zum ersten Mal`,
  allow: 'Zulassen',
  deny: 'Nicht zulassen',
  until: 'Es darf das, bis Sie oder der Betreiber es beenden, und höchstens 30 Tage, nachdem es das zuletzt getan hat.',
  who: 'Wer sind Sie?',
  whoElse: 'Sind Sie jemand anderes?',
  signIn: 'Anmelden',
  or: 'oder',
  email: 'E-Mail',
  sendCode: 'Code per E-Mail schicken',
  noMail: 'Ohne Konto kann das hier nicht zugelassen werden: Von hier wird keine E-Mail verschickt.',
  codeTitle: 'Code eingeben',
  codeLead:
    'Wenn diese E-Mail-Adresse hier bekannt ist, ist ein Code unterwegs. Er gilt 10 Minuten, in diesem Browser.',
  code: 'Code',
  check: 'Weiter',
  wrong: 'Das ist nicht der Code, oder er gilt nicht mehr. Verlangen Sie nach fünf Versuchen einen neuen.',
  another: 'Einen neuen Code verlangen',
  back: 'Zurück zum Programm',
  changed: 'Was verlangt wird, hat sich geändert. Lesen Sie es noch einmal.',
  refusals: {
    unknown: 'Unter Ihrer E-Mail-Adresse ist hier niemand bekannt. Bitten Sie den Betreiber, Sie aufzunehmen.',
    ambiguous:
      'Unter Ihrer E-Mail-Adresse sind hier mehrere bekannt, sodass sich nicht sagen lässt, wer Sie sind. Fragen Sie den Betreiber.',
    another: 'Das hier ist nur für jemand anderen.',
  },
  bad: {
    client: {
      title: 'Dieses Programm ist nicht bekannt',
      text: 'Es hat sich nicht registriert, was es von sich sagt, kann nicht gelesen werden, oder es wurde vergessen. Beginnen Sie im Programm von vorn.',
    },
    redirect: {
      title: 'Dieses Programm verlangt anderes, als es gesagt hat',
      text: 'Es möchte Sie an einen Ort leiten, den es vorher nicht genannt hat. Es wurde nichts zugelassen.',
    },
    asked: {
      title: 'Das gibt es nicht',
      text: 'Was das Programm verlangt, gibt es nicht, oder nicht so. Es wurde nichts zugelassen. Gehen Sie nur zurück, wenn Sie wissen, wohin das führt.',
    },
    request: {
      title: 'Das kann nicht gelesen werden',
      text: 'Was das Programm verlangt, ist zu lang oder sagt etwas doppelt. Es wurde nichts zugelassen.',
    },
  },
};
