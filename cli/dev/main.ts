import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { configuration, withSql } from '../context.ts'
import { reportDemo } from '../demo/report.ts'
import { refuseElsewhere } from '../demo/seed.ts'
import { localUrl } from '../instance.ts'
import { consola, fail, leave, print } from '../output.ts'
import { untilReady } from '../until-ready.ts'

/**
 * `npm run dev`: Nuxt's development server with hot reload, with the demo clinic in its database. Its port and address
 * come from PORT and HOST, as for `svc start`. Further arguments are passed to `nuxt dev`.
 */
try {
  const config = configuration()
  refuseElsewhere(config, false)
  const nuxt = spawn(
    process.execPath,
    [
      path.join(config.root, 'node_modules/.bin/nuxt'),
      'dev', '--port', String(config.port), '--host', config.host, ...process.argv.slice(2)
    ],
    { cwd: config.root, stdio: 'inherit', env: { ...process.env, SVC_SETUP_FOLLOWS: '1' } }
  )
  const ended = once(nuxt, 'exit').then(([code]) => (code ?? 0) as number)
  // Ctrl-C reaches both processes; this one ends last.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => nuxt.kill('SIGTERM'))

  const url = localUrl(config.host, config.port)
  // The first build has no time limit; if the demo fails, the server keeps running.
  void untilReady(url, Infinity).then(() => reportDemo(config, url)).then(
    (result) => {
      print(result, false)
      consola.info('Ctrl-C stops it.')
    },
    (error: unknown) => fail(error, false)
  )
  const code = await ended
  // Nuxt kills its server before it can stop the embedded database, so this process stops it.
  await withSql(async () => {})
  leave(code)
} catch (error) {
  fail(error, false)
}
