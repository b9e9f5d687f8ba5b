import { type AuditEntryList, type AuditLogQuery } from '@drawbridge/proto/drawbridge/members/v1/audit_log';
import { Get, Queries, Route, Tags } from '@tsoa/runtime';
import { ApiController } from './api-controller.js';

@Route('api/v1/audit-log')
@Tags('Audit log')
export class AuditLogController extends ApiController {
  /** Who did what, newest first. Stable while new entries arrive: pass `nextCursor` on. */
  @Get()
  async listAuditEntries(@Queries() query: AuditLogQuery): Promise<AuditEntryList> {
    return this.services.auditLog.listAuditEntries({ query });
  }
}
