import { CliError, EXIT } from '../errors.ts'

export const unknownUser = (email: string) =>
  new CliError({
    code: 'unknown_user',
    message: `There is no user with the email "${email}".`,
    hint: 'svc user list',
    exit: EXIT.usage
  })
