import { problem } from '@svc/kit'
import { loadOnce } from '../../load-once.ts'

/**
 * The number of guesses, as a power of ten, that a password must withstand. Below it, word lists and keyboard patterns
 * find it.
 */
const MIN_GUESSES = 6
/** The estimate takes longer with each character, and further characters don't improve it. */
const MAX_ESTIMATED_LENGTH = 48

type Estimate = (password: string, known: string[]) => number

/** Lists and estimator are loaded when the first password is set, so that no start and no sign-in waits for them. */
const estimate = loadOnce(async (): Promise<Estimate> => {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'), import('@zxcvbn-ts/language-common')
  ])
  const factory = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: MAX_ESTIMATED_LENGTH })
  return (password, known) => factory.check(password, known).guessesLog10
})

interface NewPassword { password: string, email: string, /** The field's pointer, for the answer. */ pointer: string }

/** For new passwords; existing ones keep working. The schema checks the length. Throws `validation_failed`. */
export async function checkNewPassword({ password, email, pointer }: NewPassword): Promise<void> {
  const refuse = (message: string) => problem('validation_failed', { errors: [{ pointer, message }] })
  const name = email.split('@')[0]!
  if (password.trim().toLowerCase() === email.toLowerCase()) {
    throw refuse('The password must not be the email address. Choose another one.')
  }
  const guesses = await estimate()
  if (guesses(password, [email, name]) < MIN_GUESSES) {
    throw refuse('This password is too easy to guess. Choose a less common one, for example four unrelated words.')
  }
}
