# Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What mkdocs.yml cannot say: the navigation by what is there, links out of docs/, addresses that the tool prints."""

import os
import re

# A link or picture whose target lies outside docs/.
OUTSIDE = re.compile(r"\[([^\]]*)\]\(((?:\.\./)+[^)#\s]+)(#[^)\s]*)?\)")
# The tool names the page of a check by its file: a published CHECK.md leads to CHECK.html.
REDIRECT = """<!doctype html>
<title>{0}</title>
<meta http-equiv="refresh" content="0; url=../{0}.html">
<a href="../{0}.html">{0}</a>
"""


def on_config(config):
    """Every check, in the catalogue's order, every recipe and every other page has its place in the navigation."""
    docs = config["docs_dir"]
    with open(os.path.join(docs, "checks", "index.md")) as file:
        checks = re.findall(r"^\| \[[\w-]+\]\(([\w-]+\.md)\)", file.read(), re.M)
    folder = os.path.join(docs, "integration")
    recipes = sorted(name for name in os.listdir(folder) if name.endswith(".md")) if os.path.isdir(folder) else []
    listed = re.findall(r"[\w/-]+\.md", str(config["nav"]))
    others = sorted(name for name in os.listdir(docs) if name.endswith(".md") and name not in listed)
    for section in config["nav"]:
        if "Checks" in section:
            section["Checks"] = [section["Checks"]] + [
                {name[len("tensor-"):-len(".md")]: "checks/" + name} for name in checks]
        elif "Recipes" in section:
            section["Recipes"] += ["integration/" + name for name in recipes]
        elif "Using it" in section:
            section["Using it"] += others
    return config


def on_page_markdown(markdown, page, config, files):
    folder = os.path.dirname(page.file.src_uri)

    def replaced(match):
        path = os.path.normpath(os.path.join("docs", folder, match[2]))
        if path.startswith("docs/"):
            return match[0]
        if config["repo_url"]:
            return "[%s](%s/blob/main/%s%s)" % (match[1], config["repo_url"].rstrip("/"), path, match[3] or "")
        return match[1]

    return OUTSIDE.sub(replaced, markdown)


def on_page_content(content, page, config, files):
    return re.sub(r"<code>(-[^<]{1,28})</code>", r'<code class="option">\1</code>', content)


def on_post_build(config):
    folder = os.path.join(config["site_dir"], "checks")
    for name in os.listdir(folder):
        if name.startswith("tensor-") and name.endswith(".html"):
            stem = name[:-len(".html")]
            os.makedirs(os.path.join(folder, stem + ".md"), exist_ok=True)
            with open(os.path.join(folder, stem + ".md", "index.html"), "w") as file:
                file.write(REDIRECT.format(stem))
