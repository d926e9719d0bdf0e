import { describe, expect, it } from 'vitest'
import { svc } from '../support/cli.ts'

describe('wrong usage', () => {
  it.each([
    { words: ['modules', 'lst'], says: 'Unknown command "lst".' },
    { words: ['constructor'], says: 'Unknown command "constructor".' },
    { words: ['modules'], says: 'No command was given.' },
    { words: [], says: 'No command was given.' },
    { words: ['modules', 'list', '--jsn'], says: 'Unknown option' },
    { words: ['modules', 'list', 'budget'], says: 'Unexpected word "budget".' },
    { words: ['modules', 'info'], says: 'Missing required positional argument: NAME' },
    { words: ['clinic', 'create', '--name'], says: 'Option \'--name <value>\' argument missing.' },
    { words: ['clinic', 'create', '--name', 'Sol'], says: 'Missing required argument: --currency' },
    { words: ['token', 'create'], says: 'Missing required argument: --scope' },
    { words: ['token', 'create', '--scope', 'everything'], says: 'Invalid value for argument: --scope' },
    { words: ['token', 'create', '--scope', 'admin', '--expires', 'soon'], says: '--expires is no time: "soon".' }
  ])('of svc $words ends with exit code 2, with usage on stderr and nothing on stdout', async ({ words, says }) => {
    const { code, stdout, stderr } = await svc(words)
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toContain(says)
    expect(stderr).toContain('USAGE svc')
  })

  it('is answered with the name of the command that was probably meant', async () => {
    expect((await svc(['modules', 'lst'])).stderr).toContain('Did you mean "list"?')
  })

  it('still prints one document on stdout with --json', async () => {
    const { code, stdout } = await svc(['modules', 'lst', '--json'])
    expect(code).toBe(2)
    expect(JSON.parse(stdout)).toEqual({
      error: { code: 'usage', message: 'Unknown command "lst".', hint: 'Did you mean "list"?' }
    })
  })
})

describe('help', () => {
  it.each(['--help', 'help', 'modules --help', 'modules list --help', 'user create -h'])(
    'is printed to stdout when requested: svc %s',
    async (words) => {
      const { code, stdout, stderr } = await svc(words.split(' '))
      expect(code).toBe(0)
      expect(stdout).toContain('USAGE svc')
      expect(stderr).toBe('')
    }
  )

  it('has no colour outside a terminal', async () => {
    const { stdout } = await svc(['--help'])
    expect(stdout).not.toContain('\u001B')
  })
})

it('--version prints only the version', async () => {
  const { code, stdout } = await svc(['--version'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})
