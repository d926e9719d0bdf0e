import { existsSync } from 'node:fs'
import type { Config } from '../../server/core/config.ts'
import { answers, findInstance, localUrl } from '../instance.ts'

/** How the instance runs, as far as it can be seen from here, and what restarts it. */
export interface RestartHint {
  running: boolean
  how: 'supervised' | 'container' | 'kubernetes' | 'unsupervised' | 'stopped'
  /** Sentences with the commands to type. */
  steps: string[]
}

export async function findRestartHint(config: Config): Promise<RestartHint> {
  const byHttp = `Or, with an admin token: curl -X POST -H "Authorization: Bearer $TOKEN" ${config.base_url}/api/v1/modules/-/restart`
  const instance = await findInstance(config)
  if (instance) {
    return {
      running: true,
      how: 'supervised',
      steps: ['Restart with: svc modules restart (no request fails)', byHttp]
    }
  }
  if (!await answers(`${localUrl(config.host, config.port)}/livez`)) {
    return { running: false, how: 'stopped', steps: ['Nothing runs here. Start with: svc start'] }
  }
  const [how, step] = OUTSIDE.find(([, , isSo]) => isSo())!
  return { running: true, how, steps: [step, byHttp] }
}

/** Supervisors other than `svc start` that restart the server. */
const OUTSIDE: [RestartHint['how'], string, () => boolean][] = [
  [
    'kubernetes',
    'Restart with: kubectl rollout restart deployment/<name>',
    () => Boolean(process.env.KUBERNETES_SERVICE_HOST)
  ],
  [
    'container',
    'Restart with: docker restart <container> (or docker compose restart app)',
    () => existsSync('/.dockerenv') || existsSync('/run/.containerenv')
  ],
  [
    'unsupervised',
    'Restart with what runs the server (systemctl restart <unit>): it must send SIGTERM and start the server again.',
    () => true
  ]
]
