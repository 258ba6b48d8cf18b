import type { Locator, Page } from '@playwright/test';
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from './fixtures';
import { kubectl, playground } from './fleet';
import { DetailPage, makeDeployment, removeDeployment } from './pages/detail';
import { FleetPage } from './pages/fleet';
import { PalettePage } from './pages/palette';

test.use({ ignoreHTTPSErrors: true });

/** What somebody does with a mouse and a keyboard, counted. */
class Hands {
  clicks = 0;
  keys = 0;

  constructor(readonly page: Page) {}

  async click(what: Locator): Promise<void> {
    this.clicks++;
    await what.click();
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      this.keys++;
      await this.page.keyboard.press(key);
    }
  }

  async type(text: string): Promise<void> {
    this.keys += text.length;
    await this.page.keyboard.type(text);
  }

  /** What is at hand elsewhere is pasted: one key. */
  async paste(text: string): Promise<void> {
    this.keys++;
    await this.page.keyboard.insertText(text);
  }

  /** Finds something by its name, as the palette offers it first. */
  async find(name: string): Promise<void> {
    await expect(this.page.getByRole('button', { name: 'Search' })).toBeVisible();
    await this.press('Control+k');
    await expect(new PalettePage(this.page).field).toBeFocused();
    await this.type(name);
    await expect(new PalettePage(this.page).active).toContainText(name);
    await this.press('Enter');
  }
}

interface Done {
  task: string;
  clicks: number;
  keys: number;
  seconds: string;
}

const done: Done[] = [];

/** Does something that starts on the overview, and notes what it took. */
async function timed(page: Page, task: string, run: (hands: Hands) => Promise<void>): Promise<void> {
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Overview');
  await expect(page.locator('[data-cause]').first()).toBeVisible();
  const hands = new Hands(page);
  const began = Date.now();
  await run(hands);
  const seconds = ((Date.now() - began) / 1000).toFixed(1);
  done.push({ task, clicks: hands.clicks, keys: hands.keys, seconds });
}

test.afterAll(() => {
  const rows = done.map(
    ({ task, clicks, keys, seconds }) => `| ${task} | ${clicks} | ${keys} | ${seconds} |`,
  );
  writeFileSync(
    'test-results/tasks.md',
    ['| task | clicks | keystrokes | seconds |', '| --- | --- | --- | --- |', ...rows, ''].join('\n'),
  );
});

test('find why an application is not in a cluster', async ({ signedIn: page }) => {
  await timed(page, 'find why an application is not in a cluster', async (hands) => {
    const wrong = page.locator('[data-cause]').getByRole('link', { name: 'payments/card-vault' });
    await hands.click(wrong);
    const finding = new DetailPage(page).finding('AFFINITY_NOT_MATCHED');
    await expect(finding).toContainText('compliance = pci-dss-level-1');
    await expect(finding).toContainText('compliance not set');
  });
});

test('see what an edit of a policy would move', async ({ signedIn: page }) => {
  const text = kubectl('asia', ['-n', 'shop', 'get', 'propagationpolicy', 'storefront', '-o', 'json']);
  const policy = JSON.parse(text) as { spec: { placement: object }; metadata: { managedFields?: unknown } };
  delete policy.metadata.managedFields;
  policy.spec.placement = { clusterAffinity: { clusterNames: ['tokyo'] } };
  await timed(page, 'see what an edit of a policy would move (the edit pasted)', async (hands) => {
    await hands.press('g', 'p');
    await hands.click(page.locator('a[href="/policies/asia/shop/propagationpolicy/storefront"]').first());
    await hands.click(page.getByRole('link', { name: 'Edit', exact: true }));
    await hands.click(page.locator('.ant-segmented').getByText('YAML', { exact: true }));
    await hands.click(page.getByRole('textbox', { name: 'Edit storefront' }));
    await hands.press('ControlOrMeta+A');
    await hands.paste(JSON.stringify(policy));
    await hands.click(page.getByRole('button', { name: 'Preview' }));
    await expect(page.locator('[data-impact] [data-move="hangzhou"]').first()).toContainText('3 → –');
  });
});

test('change an image, watch it roll out, and roll back', async ({ signedIn: page }) => {
  const name = `e2e-task-${Date.now() % 100_000}`;
  makeDeployment(name, { clusterAffinity: { clusterNames: ['tokyo'] } });
  const detail = new DetailPage(page);
  const updated = page.locator('tr[data-target="tokyo"]');
  try {
    await expect(async () => {
      await detail.open(`asia/shop/deployment/${name}`);
      await expect(updated).toContainText('Healthy', { timeout: 5_000 });
    }).toPass();
    await timed(page, 'change an image and watch it roll out', async (hands) => {
      await hands.find(name);
      await hands.click(page.getByRole('button', { name: 'Actions', exact: true }));
      await hands.click(page.locator('[data-menu-item="setImage"]'));
      await hands.click(detail.dialog.getByLabel('Image', { exact: true }));
      await hands.press('ControlOrMeta+A');
      await hands.paste('registry.example/e2e:2');
      await hands.click(detail.dialog.getByRole('button', { name: 'Change image' }));
      await expect(page.getByText('Karmada accepted the image registry.example/e2e:2.')).toBeVisible();
      await expect(page.locator('.detail-state')).toHaveAttribute('data-state', 'RUNNING', {
        timeout: 60_000,
      });
    });
    await timed(page, 'roll back', async (hands) => {
      await hands.find(name);
      await hands.click(page.getByRole('link', { name: 'Revisions' }));
      const earlier = page.locator('[data-revision]').last().locator('[data-rollback]');
      await expect(earlier).toBeVisible({ timeout: 60_000 });
      await hands.click(earlier);
      await hands.click(detail.dialog.getByRole('button', { name: /^Roll back to/ }));
      await expect(page.getByText('Karmada accepted the rollback')).toBeVisible();
    });
    await timed(page, 'see what changed in the last hour', async (hands) => {
      await hands.find(name);
      await hands.click(page.getByRole('link', { name: 'What changed?' }));
      await hands.click(page.getByRole('link', { name: 'Last hour' }));
      await expect(page.locator('[data-timeline="AUDIT"]').first()).toContainText('rollbackWorkload');
    });
  } finally {
    removeDeployment(name);
  }
});

test('find an object by its name anywhere', async ({ signedIn: page }) => {
  await timed(page, 'find an object by its name anywhere', async (hands) => {
    await hands.find('checkout-config');
    await expect(page).toHaveURL(/checkout-config$/);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('checkout-config');
  });
});

test('give a team rights on two namespaces', async ({ page, signedInAs }) => {
  const team = 'kairship:oidc:e2e-team';
  await signedInAs('owner', '/');
  try {
    await timed(page, 'give a team rights on two namespaces', async (hands) => {
      await hands.click(page.getByRole('link', { name: 'Access' }));
      await hands.click(page.getByRole('button', { name: 'Grant role' }));
      const dialog = page.getByRole('dialog', { name: 'Grant a role' });
      await hands.click(dialog.getByRole('combobox', { name: 'Name', exact: true }));
      // The field begins with whose accounts these are.
      await hands.press('End');
      await hands.type('e2e-team');
      await hands.click(dialog.getByRole('combobox', { name: 'Namespaces' }));
      await hands.type('shop,payments,');
      await hands.click(dialog.getByRole('button', { name: 'Grant role' }));
      await expect(page.locator(`tr[data-subject="${team}"]`)).toBeVisible();
    });
  } finally {
    const names = kubectl('host', ['get', 'accessbindings', '-o', 'json']);
    const all = JSON.parse(names) as {
      items: { metadata: { name: string }; spec: { subject: { name: string } } }[];
    };
    for (const { metadata, spec } of all.items)
      if (spec.subject.name === team) kubectl('host', ['delete', 'accessbinding', metadata.name]);
  }
});

test('follow the log of a pod that crashes', async ({ signedIn: page }) => {
  await timed(page, 'follow the log of a pod that crashes', async (hands) => {
    await hands.click(page.locator('[data-cause]').getByRole('link', { name: 'payments/fraud-check' }));
    await hands.click(new DetailPage(page).finding('CRASH_LOOP').locator('[data-mend="log"]').first());
    await expect(page.getByRole('log')).toBeVisible();
  });
});

test('find what runs on a cluster before it is removed', async ({ signedIn: page }) => {
  await timed(page, 'find what runs on a cluster before it is removed', async (hands) => {
    await hands.find('singapore');
    await hands.click(page.getByRole('button', { name: 'Unjoin' }));
    await expect(page.getByRole('dialog').locator('[data-foreseen]')).toBeVisible();
  });
});

test('join a member', async ({ signedIn: page }) => {
  test.setTimeout(600_000);
  const member = 'sendai';
  const kubeconfig = readFileSync(playground('member', member), 'utf8');
  try {
    await timed(page, 'join a member, until it is ready', async (hands) => {
      await hands.press('g', 'c');
      await hands.click(page.getByRole('link', { name: 'Join a cluster' }));
      await hands.click(page.getByLabel('Name of the cluster'));
      await hands.type(member);
      await hands.click(page.getByLabel('Kubeconfig of the cluster'));
      await hands.paste(kubeconfig);
      await hands.click(page.getByRole('button', { name: 'Join', exact: true }));
      await new FleetPage(page).succeeds(180_000);
    });
  } finally {
    kubectl('asia', ['delete', 'cluster', member, '--ignore-not-found', '--wait=false']);
    playground('member', member, '--remove');
  }
});
