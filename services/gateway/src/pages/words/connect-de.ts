import { type Words } from './en.js';

export const connectDe: Words['connect'] = {
  title: (integration) => `${integration} verbinden`,
  lead: (organization, connection) => `${organization} verwendet dieses Konto als „${connection}“.`,
  continueWith: (integration) => `Weiter zu ${integration}`,
  leading: (integration) => `Weiterleitung zu ${integration}`,
  submit: 'Verbinden',
  cancel: 'Abbrechen',
  shares: (organization) => `${organization} kann dann`,
  keysAt: (integration) => `API-Schlüssel bei ${integration} finden (öffnet einen neuen Tab)`,
  reveal: 'Eingabe anzeigen',
  by: (type) =>
    type === 'OAUTH2'
      ? 'Stattdessen dort anmelden'
      : type === 'SECRET_TEXT'
        ? 'API-Schlüssel oder Token verwenden'
        : type === 'BASIC_AUTH'
          ? 'Benutzername und Passwort verwenden'
          : 'Angaben eingeben',
  secretText: 'API-Schlüssel oder Token',
  username: 'Benutzername',
  password: 'Passwort',
  problem: (code, words) => {
    const said = words ? ` Die Antwort war: ${words}` : '';
    return code === 'refused'
      ? `Die Zugangsdaten wurden nicht angenommen. Prüfen Sie sie und versuchen Sie es noch einmal.${said}`
      : `Der Anbieter war nicht erreichbar, um die Zugangsdaten zu prüfen. Versuchen Sie es in einer Minute noch einmal.${said}`;
  },
  noWay:
    'Diese Verbindung ist im Augenblick nicht verfügbar. Wenden Sie sich an das Unternehmen, das Sie hierher geleitet hat.',
  done: (integration) => `${integration} ist verbunden`,
  connectedAs: (account) => `Verbunden als ${account}`,
  failed: (integration) => `${integration} ist nicht verbunden`,
  denied: 'Der Zugriff wurde nicht erlaubt.',
  refused: 'Der Anbieter hat die Verbindung abgelehnt.',
  close: 'Sie können dieses Fenster schließen.',
  askAgain:
    'Sie können dieses Fenster schließen. Für einen neuen Versuch fordern Sie in der App, die Sie hierher geleitet hat, einen neuen Link an.',
  goingOn: 'Sie werden zurückgeleitet.',
  goOn: 'Jetzt zurück',
  busy: {
    title: 'Es wird gerade verbunden',
    text: 'Das dauert einen Moment. Begonnen wurde es in diesem Browser oder in einem anderen Fenster.',
  },
  look: 'Noch einmal nachsehen',
  over: {
    title: 'Dieser Link gilt nicht',
    text: 'Er ist abgelaufen oder wurde in einem anderen Browser geöffnet. Gehen Sie zurück und beginnen Sie von vorn.',
  },
  elsewhere: {
    title: 'Diese Verbindung wurde in einem anderen Browser begonnen',
    text: 'Die Antwort gehört zu einem anderen Browser. Es wurde nichts verbunden.',
  },
  late: {
    title: 'Die Verbindung hat zu lange gedauert',
    text: 'Beim Anbieter haben Sie 30 Minuten Zeit. Es wurde nichts verbunden.',
  },
  long: {
    title: 'Die Antwort des Anbieters war zu groß',
    text: 'Die Antwort ist länger als erlaubt. Es wurde nichts verbunden. Wenden Sie sich an das Unternehmen, das Sie hierher geleitet hat.',
  },
  replaced: {
    title: 'Ein neuerer Versuch hat diesen ersetzt',
    text: 'Die Antwort gehört zu einem früheren Versuch und wurde nicht verwendet. Es wurde nichts verbunden.',
  },
  away: {
    title: 'Der Anbieter hat nicht geantwortet',
    text: 'Sie haben den Zugriff erlaubt, aber der Anbieter war danach nicht erreichbar. Es wurde nichts verbunden. Versuchen Sie es in einer Minute noch einmal.',
  },
  unusable: {
    title: 'Dieses Konto lässt sich nicht verwenden',
    text: 'Sie haben den Zugriff erlaubt, aber der Anbieter hat nicht mitgeteilt, was für dieses Konto nötig ist. Es wurde nichts verbunden. Versuchen Sie es noch einmal oder mit einem anderen Konto.',
  },
  beginAgain: 'Neu beginnen',
};
