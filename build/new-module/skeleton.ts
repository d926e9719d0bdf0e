import { code } from './skeleton-code.ts'
import { layer } from './skeleton-layer.ts'

/** `my_notes` → `svc-module-my-notes` */
export const packageName = (name: string) => `svc-module-${name.replaceAll('_', '-')}`

/**
 * The files of a module that can be installed, text by path. It has a table, endpoints, a setting, a section of the
 * patient's page, a page of the clinic, and a test.
 */
export function skeleton(name: string): Record<string, string> {
  const title = `${name[0]?.toUpperCase() ?? ''}${name.slice(1).replaceAll('_', ' ')}`
  return {
    'package.json': packageJson(name, title),
    'README.md': readme(name, title),
    ...code(name),
    ...layer(name, title)
  }
}

function packageJson(name: string, title: string): string {
  const manifest = {
    name,
    category: 'community',
    depends: ['budget'],
    core: '>=0.2.0',
    permissions: ['read', 'write'],
    role_permissions: { admin: ['*'] },
    navigation: [
      {
        label: `${name}.navigation.notes`,
        to: `/${name}`,
        icon: 'i-lucide-notebook',
        permission: `${name}.read`,
        order: 100
      }
    ],
    server: 'server/index.js',
    migrations: 'migrations',
    layer: 'layer'
  }
  return `${JSON.stringify({
    name: packageName(name), version: '0.1.0', description: `${title}: what it is for.`, license: 'MIT', type: 'module',
    files: ['server', 'migrations', 'layer'],
    scripts: { 'test': 'node --test', 'test:contract': 'svc-module-test .' },
    svc: manifest
  }, null, 2)}\n`
}

const readme = (name: string, title: string) => `# ${packageName(name)}

${title}: what it is for.

    npm install ${packageName(name)}
    ./bin/svc modules install ${name}     # then restart

## What to do next

1. Run its test: \`npm test\`.
2. Try it. \`$PRODUCT\` is a checkout of the service with its dependencies (\`sh bin/setup\`):

       npm pack
       npm install --prefix $PRODUCT/storage/modules ./${packageName(name)}-0.1.0.tgz
       cd $PRODUCT
       ./bin/svc up --demo
       ./bin/svc modules install ${name}
       ./bin/svc modules sync-frontend
       npm run build
       ./bin/svc modules restart

   Sign in: *${title}* is in the sidebar, and its setting under *Clinic*.
3. Change it. Start with the manifest (\`svc\` in package.json) and the table in \`migrations/\`; after you publish, add
   migrations and never change one. \`$PRODUCT/docs/modules.md\` leads to a page for each subject.
4. Check it against the rules of the service:

       npm install --save-dev --ignore-scripts $PRODUCT
       npm run test:contract

5. Write what it is for here and in \`description\`, remove this list, and publish: \`npm publish\`.
`
