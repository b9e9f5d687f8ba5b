import { action, expandPath, type JsonValue, listAt, member, textAt } from '@drawbridge/piece-kit';
import { record } from '../properties.js';
import { DATA } from '../version.js';

/** https://developer.salesforce.com/docs/atlas.en-us.api_analytics.meta/api_analytics/sforce_analytics_rest_api_get_reportdata.htm */
export const runReport = action({
  displayName: 'Run report',
  description: 'Runs a report and returns its rows, at most 2,000, and its totals.',
  category: 'read',
  props: { report_id: record },
  run: async ({ http, input: { report_id } }) => {
    const path = expandPath(`${DATA}/analytics/reports/{report_id}`, { report_id });
    const report = await http.json({ method: 'GET', path, query: { includeDetails: true } });
    const columns = listAt(report, 'reportMetadata', 'detailColumns').map(String);
    const labels = columns.map(
      (column) => textAt(report, 'reportExtendedMetadata', 'detailColumnInfo', column, 'label') ?? column,
    );
    const facts = Object.values(member(report, 'factMap') ?? {});
    return {
      name: textAt(report, 'reportMetadata', 'name') ?? null,
      isComplete: member(report, 'allData') ?? null,
      rows: facts.flatMap((fact) => listAt(fact, 'rows').map((row) => toRow(row, labels))),
      totals: listAt(report, 'factMap', 'T!T', 'aggregates').map((total) => member(total, 'label') ?? null),
    };
  },
});

const toRow = (row: JsonValue, labels: readonly string[]) =>
  Object.fromEntries(
    listAt(row, 'dataCells').map((cell, at) => [labels[at] ?? `column ${at}`, member(cell, 'label') ?? null]),
  );
