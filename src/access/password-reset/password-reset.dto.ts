import { ApiProperty } from '@nestjs/swagger';
import { IsString, Length } from 'class-validator';
import { IsEmailAddress } from '../users/email.js';
import { LONGEST_PASSWORD, NewPassword, SHORTEST_PASSWORD } from '../users/password-fields.js';

export class RequestPasswordResetDto {
  @ApiProperty({ format: 'email', example: 'ada@example.com', maxLength: 254 })
  @IsEmailAddress()
  email!: string;
}

export class ConfirmPasswordResetDto {
  @ApiProperty({ example: 'fr_9dK…', minLength: 1, maxLength: 100, description: 'From the link in the e-mail.' })
  @Length(1, 100, { message: 'must have 1 to 100 characters' })
  @IsString({ message: 'must be a string' })
  token!: string;

  @ApiProperty({ minLength: SHORTEST_PASSWORD, maxLength: LONGEST_PASSWORD, example: 'seven quiet rivers at dawn' })
  @NewPassword()
  new_password!: string;
}
