import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiNoContentResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { IsString, Length } from 'class-validator';
import { Public } from '../../platform/http/access-declaration.js';
import { ApiInvalidRequest, ApiProblem } from '../../platform/http/api-problem.js';
import { CallerAddress } from '../guard/caller.js';
import { NewPassword } from '../users/password-fields.js';
import { IsEmailAddress } from '../users/email.js';
import { PasswordResetService } from './password-reset.service.js';

export class RequestPasswordResetDto {
  @ApiProperty({ format: 'email', example: 'ada@example.com', maxLength: 254 })
  @IsEmailAddress()
  email!: string;
}

export class ConfirmPasswordResetDto {
  @ApiProperty({ example: 'fr_9dK…', minLength: 1, maxLength: 100, description: 'From the link in the e-mail.' })
  @IsString({ message: 'must be a text' })
  @Length(1, 100, { message: 'must have 1 to 100 characters' })
  token!: string;

  @ApiProperty({ minLength: 12, maxLength: 1_024, example: 'seven quiet rivers at dawn' })
  @NewPassword()
  new_password!: string;
}

@ApiTags('Sign-in')
@Public()
@Controller('auth/password-reset')
export class PasswordResetController {
  constructor(private readonly resets: PasswordResetService) {}

  @Post()
  @HttpCode(202)
  @ApiOperation({
    summary: 'Ask for a new password',
    description:
      'Sends a link, valid for an hour, where the address has an account; the reply is the same where it has none.',
  })
  @ApiAcceptedResponse({ description: 'Where the address has an account, a link is on its way to it.' })
  @ApiInvalidRequest()
  @ApiProblem(429, 'Asked too often; see Retry-After.', ['too_many_attempts'])
  @ApiProblem(503, 'This installation sends no e-mail.', ['mail_not_configured'])
  async request(@Body() body: RequestPasswordResetDto, @CallerAddress() address: string): Promise<void> {
    await this.resets.request(body.email, address);
  }

  @Post('confirm')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Set a new password by a link',
    description: 'Takes the token of the link, once, and ends all sessions of the user. A second factor stays.',
  })
  @ApiNoContentResponse({ description: 'The password is set.' })
  @ApiInvalidRequest()
  @ApiProblem(404, 'There is no such open password reset.', ['not_found'])
  async confirm(@Body() body: ConfirmPasswordResetDto, @CallerAddress() address: string): Promise<void> {
    await this.resets.confirm(body.token, body.new_password, address);
  }
}
