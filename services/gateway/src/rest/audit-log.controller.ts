import { type Readable } from 'node:stream';
import {
  type AuditEntryList,
  type AuditLogExportQuery,
  type AuditLogQuery,
} from '@drawbridge/proto/drawbridge/members/v1/audit_log';
import { Extension, Get, Produces, Queries, Request, Route, Tags } from '@tsoa/runtime';
import { type Request as HttpRequest } from 'express';
import { ApiController } from './api-controller.js';
import { jsonLines } from './json-text.js';

@Route('api/v1/audit-log')
@Tags('Audit log')
export class AuditLogController extends ApiController {
  /**
   * Lists audit entries, newest first. The order is stable while new entries arrive: send `nextCursor` as `cursor` to get the next page.
   */
  @Get()
  async listAuditEntries(@Queries() query: AuditLogQuery): Promise<AuditEntryList> {
    return this.services.auditLog.listAuditEntries({ query });
  }

  /** Exports all entries that match the filters as JSON lines, newest first. If the response ends early, the export is incomplete. */
  @Get('export')
  @Produces('application/x-ndjson')
  @Extension('x-streams', true)
  async exportAuditLog(@Request() request: HttpRequest, @Queries() query: AuditLogExportQuery): Promise<Readable> {
    this.setHeader('Content-Type', 'application/x-ndjson');
    return jsonLines(request, (cursor) => this.services.auditLog.exportAuditLog({ query, cursor }));
  }
}
