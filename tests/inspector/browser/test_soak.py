"""K8: the page for minutes, KIN_PAGE_MINUTES: neither it nor the game grows, and it takes at most 15 % of a core."""
import os
import time
import unittest

from page_case import PageCase

MINUTES = float(os.environ.get("KIN_PAGE_MINUTES", "0"))
MEBIBYTE = 1 << 20


@unittest.skipUnless(MINUTES > 0, "KIN_PAGE_MINUTES says how long it takes")
class Soak(PageCase):
    entities = 10000

    def heap(self):
        """Bytes that the page holds."""
        self.browser.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
        return self.metric("JSHeapUsedSize")

    def metric(self, name):
        metrics = self.browser.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
        return next(one["value"] for one in metrics if one["name"] == name)

    def resident(self, game):
        with open(f"/proc/{game.process.pid}/status", encoding="utf-8") as status:
            return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmRSS"))

    def test_k8_nothing_grows(self):
        game = self.begin("game/entities?q=Position")
        self.browser.execute_cdp_cmd("Performance.enable", {})
        self.await_that(self.rows, "rows")
        self.select(self.rows()[0])
        time.sleep(20)
        heap, resident, busy, began = self.heap(), self.resident(game), self.metric("TaskDuration"), time.time()
        time.sleep(60 * MINUTES)
        grown = (self.heap() - heap) / MEBIBYTE, (self.resident(game) - resident) / MEBIBYTE
        part = (self.metric("TaskDuration") - busy) / (time.time() - began)
        print(f"\nthe page grew {grown[0]:.2f} MiB, the game {grown[1]:.2f} MiB; the page took {100 * part:.1f} % of a core")
        self.assertLess(grown[0], 5)
        self.assertLess(grown[1], 1)
        self.assertLess(part, 0.15)
