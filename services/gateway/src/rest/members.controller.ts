import { type InvitedRole, type Role } from '@drawbridge/contracts';
import { type Deleted } from '@drawbridge/proto/drawbridge/fields/v1/fields';
import {
  type Invitation,
  type InvitationList,
  type InviteMemberRequest,
  type ListInvitationsRequest,
} from '@drawbridge/proto/drawbridge/members/v1/invitations';
import { type ListMembersRequest, type Member, type MemberList } from '@drawbridge/proto/drawbridge/members/v1/members';
import { type Uuid } from '@drawbridge/proto/uuid';
import { Body, Delete, Extension, Get, Patch, Path, Post, Queries, Request, Route, Tags } from '@tsoa/runtime';
import { type Request as HttpRequest } from 'express';
import { ApiController } from './api-controller.js';

interface InviteMemberBody extends InviteMemberRequest {
  role?: InvitedRole;
}

interface UpdateMemberBody {
  role: Role;
}

interface InvitedMember {
  invitation: Invitation;
  link?: string;
}

@Route('api/v1/members')
@Tags('Members')
export class MembersController extends ApiController {
  @Get()
  async listMembers(@Queries() query: ListMembersRequest): Promise<MemberList> {
    return this.services.members.listMembers(query);
  }

  /**
   * Invites a user by email. The invitation is valid for 7 days and uses a seat. If the operator has configured email, the link is emailed to the
   * invited address only. Otherwise the response contains it in `link`: send it to the user yourself. No other response contains it.
   */
  @Post('invite')
  @Extension('x-fails', ['QUOTA_EXCEEDED', 'DUPLICATE'])
  @Extension('x-example', { email: 'ann@acme.example', role: 'member' })
  async inviteMember(@Request() request: HttpRequest, @Body() body: InviteMemberBody): Promise<InvitedMember> {
    const { invitation, token } = await this.services.invitations.inviteMember(body);
    return { invitation: invitation!, link: token && this.site.address(request, `/sign-up?invitation=${token}`) };
  }

  /** Lists pending invitations, newest first. */
  @Get('invitations')
  async listInvitations(@Queries() query: ListInvitationsRequest): Promise<InvitationList> {
    return this.services.invitations.listInvitations(query);
  }

  /** Cancels a pending invitation. */
  @Delete('invitations/{invitationId}')
  @Extension('x-fails', ['NOT_FOUND'])
  async cancelInvitation(@Path() invitationId: Uuid): Promise<Deleted> {
    return this.services.invitations.cancelInvitation({ invitationId });
  }

  /** Accepts an invitation. The key can belong to any organization, but its user must have the invited email address. */
  @Post('invitations/{invitationId}/accept')
  @Extension('x-fails', ['NOT_FOUND', 'EXPIRED', 'DUPLICATE'])
  async acceptInvitation(@Path() invitationId: Uuid): Promise<{ member: Member }> {
    return { member: await this.services.invitations.acceptInvitation({ invitationId }) };
  }

  /** Changes the role of a member. Only owners add and remove owners, and one owner must remain. */
  @Patch('{id}')
  @Extension('x-fails', ['NOT_FOUND'])
  @Extension('x-example', { role: 'admin' })
  async updateMember(@Path() id: Uuid, @Body() body: UpdateMemberBody): Promise<{ member: Member }> {
    return { member: await this.services.members.updateMember({ id, ...body }) };
  }

  /** Removes a member from the organization. Their keys in the organization are rejected within one second. */
  @Delete('{id}')
  @Extension('x-fails', ['NOT_FOUND'])
  async deleteMember(@Path() id: Uuid): Promise<Deleted> {
    return this.services.members.deleteMember({ id });
  }
}
