"""A real browser for tests: the one that scripts/docs looks at the guide with."""

import base64
import importlib.util
import json
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path

SCRIPT = Path(__file__).parents[1] / "scripts" / "docs_check.py"


def docs_check():
    specification = importlib.util.spec_from_file_location("docs_check", SCRIPT)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def missing():
    """What is missing for a browser, or ""."""
    wanted = {
        "chromium": any(map(shutil.which, docs_check().BROWSERS)),
        "chromedriver": shutil.which("chromedriver"),
        "selenium": importlib.util.find_spec("selenium"),
    }
    return ", ".join(f"{name} is missing" for name, found in wanted.items() if not found)


@contextmanager
def started():
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        driver = docs_check().start_browser(profile, "performance")
        try:
            yield Browser(driver)
        finally:
            driver.quit()


class Browser:
    """What tests ask of a browser."""

    def __init__(self, driver):
        self.driver = driver
        self.command("Network.enable")
        self.command(
            "Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=0, uploadThroughput=0
        )

    def command(self, name, **parameters):
        return self.driver.execute_cdp_cmd(name, parameters)

    def open(self, path, width=1200, scheme="light", media=""):
        """Show a file from the disk; forget what the logs said before."""
        screen = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        self.command("Emulation.setDeviceMetricsOverride", **screen)
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.command("Emulation.setEmulatedMedia", media=media, features=features)
        for log in ("browser", "performance"):
            self.driver.get_log(log)
        self.driver.get(Path(path).resolve().as_uri())

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def requests(self):
        """The addresses that were asked for since the page was opened."""
        messages = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        return [one["params"]["request"]["url"] for one in messages if one["method"] == "Network.requestWillBeSent"]

    def errors(self):
        """What the console says."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def move_pointer(self, x, y):
        self.command("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def pdf(self):
        """The page as printed on A4."""
        return base64.b64decode(self.command("Page.printToPDF", paperWidth=8.27, paperHeight=11.69)["data"])
