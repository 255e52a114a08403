#!/usr/bin/env python3
"""Lists the parts of a release (SBOM): what is linked into it, and what it opens at run time.

sbom.py write FOLDER [PLATFORM]   polygraphy.cdx.json (CycloneDX 1.6) and polygraphy.spdx.json (SPDX 2.3) in FOLDER;
                                  of a build by platform.sh, with the C++ library linked in
sbom.py packages       the system's packages of which a part is linked in

Versions are those of the pins (scripts/setup/pins.sh, backends/*/setup.sh) and of the system's packages.
The files hold nothing else: the same parts and the same SOURCE_DATE_EPOCH make the same bytes.
tests/release/sbom_test.py checks the table against what the compiler and the linker have read.
"""

import dataclasses
import datetime
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import uuid

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINKED = "linked in"
SYSTEM = "loaded from the system"
OPENED = "opened at run time"
# The licence of TensorRT, which SPDX does not list.
OWN_LICENCES = {"LicenseRef-NVIDIA-TensorRT": "NVIDIA TensorRT Software Development Kit licence agreement"}


@dataclasses.dataclass(frozen=True)
class Part:
    name: str
    relation: str
    licence: str  # as SPDX writes it
    pin: str = ""  # a variable of the set-up's scripts
    package: str = ""  # the system's, which has the version
    purl: str = ""  # with {version}; that of the package if empty
    sha256: str = ""  # the variable with the checksum of the sources
    archives: tuple = ()  # as the linker reads them
    headers: tuple = ()  # the beginnings of paths as the compiler reads them, below an include folder
    libraries: tuple = ()  # the beginnings of the names of shared libraries that the dynamic linker loads
    back_end: str = ""  # the folder below backends/


PARTS = [
    Part("onnx", LINKED, "Apache-2.0", pin="onnx_version", purl="pkg:pypi/onnx@{version}", sha256="onnx_sha256",
         archives=("libonnx.a", "libonnx_proto.a"), headers=("onnx/",)),
    Part("base64", LINKED, "BSD-2-Clause", pin="pybase64_version", purl="pkg:pypi/pybase64@{version}",
         sha256="pybase64_sha256", archives=("libbase64.a",), headers=("libbase64.h",)),
    Part("protobuf-lite", LINKED, "BSD-3-Clause", package="libprotobuf-dev",
         archives=("libprotobuf-lite.a",), headers=("google/protobuf/",)),
    Part("protozero", LINKED, "BSD-2-Clause AND Apache-2.0", package="libprotozero-dev", headers=("protozero/",)),
    Part("fmt", LINKED, "MIT", package="libfmt-dev", headers=("fmt/",)),
    Part("pcre2", LINKED, "BSD-3-Clause", package="libpcre2-dev", archives=("libpcre2-8.a",), headers=("pcre2.h",)),
    Part("libdeflate", LINKED, "MIT", package="libdeflate-dev", archives=("libdeflate.a",),
         headers=("libdeflate.h",)),
    Part("xxhash", LINKED, "BSD-2-Clause", package="libxxhash-dev", headers=("xxhash.h", "xxh3.h")),
    Part("libyaml", LINKED, "MIT", package="libyaml-dev", archives=("libyaml.a",), headers=("yaml.h",)),
    Part("nlohmann-json", LINKED, "MIT", package="nlohmann-json3-dev", headers=("nlohmann/",)),
    Part("glibc", SYSTEM, "LGPL-2.1-or-later", purl="pkg:generic/glibc",
         libraries=("libc.so.", "libm.so.", "libdl.so.", "libpthread.so.", "ld-linux")),
    Part("libstdc++", SYSTEM, "GPL-3.0-or-later WITH GCC-exception-3.1", purl="pkg:generic/gcc",
         libraries=("libstdc++.so.", "libgcc_s.so.")),
    Part("Python", SYSTEM, "PSF-2.0", purl="pkg:generic/python", headers=("python3",)),
    Part("ONNX Runtime", OPENED, "MIT", pin="onnxruntime_version", purl="pkg:pypi/onnxruntime@{version}",
         headers=("onnxruntime",), back_end="onnxrt"),
    Part("OpenVINO", OPENED, "Apache-2.0", pin="openvino_version", purl="pkg:pypi/openvino@{version}",
         headers=("openvino/",), back_end="openvino"),
    Part("TensorRT 10", OPENED, "LicenseRef-NVIDIA-TensorRT", pin="tensorrt_10_crate",
         purl="pkg:cargo/trtx-sys@{version}", headers=("10/Nv",), back_end="tensorrt"),
    Part("TensorRT 11", OPENED, "LicenseRef-NVIDIA-TensorRT", pin="tensorrt_11_crate",
         purl="pkg:cargo/trtx-sys@{version}", headers=("11/Nv",), back_end="tensorrt"),
    Part("TensorRT for RTX", OPENED, "LicenseRef-NVIDIA-TensorRT", pin="tensorrt_rtx_crate",
         purl="pkg:cargo/trtx-sys@{version}", headers=("rtx/Nv",), back_end="tensorrt"),
    Part("TensorFlow", OPENED, "Apache-2.0", pin="tensorflow_version", purl="pkg:pypi/tensorflow-cpu@{version}",
         back_end="tensorflow"),
    Part("PyTorch", OPENED, "BSD-3-Clause", pin="torch_version", purl="pkg:pypi/torch@{version}",
         back_end="torch"),
    Part("ExecuTorch", OPENED, "BSD-3-Clause", pin="executorch_version", purl="pkg:pypi/executorch@{version}",
         back_end="executorch"),
    Part("IREE", OPENED, "Apache-2.0 WITH LLVM-exception", pin="iree_version",
         purl="pkg:pypi/iree-base-runtime@{version}", back_end="iree"),
    Part("onnx's reference evaluator", OPENED, "Apache-2.0", pin="onnx_version",
         purl="pkg:pypi/onnx@{version}", back_end="reference"),
]


def pins():
    """The variables of the set-up's scripts."""
    found = {}
    for path in [ROOT / "scripts/setup/pins.sh", *sorted(ROOT.glob("backends/*/setup.sh"))]:
        found.update(re.findall(r"(?:^|[ ;])(\w+)=([\w.+-]+)", path.read_text(encoding="utf-8"), re.M))
    return found


def source_package(package):
    """Name and version of the source of which the system has made a package; None where it has no such packages."""
    if not shutil.which("dpkg-query"):
        return None
    query = ["dpkg-query", "-W", "-f", "${source:Package} ${source:Version}", package]
    done = subprocess.run(query, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{package} is not installed, so its version is unknown: run scripts/setup.sh")
    return done.stdout.split()


def distribution():
    release = dict(re.findall(r'^(\w+)="?([^"\n]*)', pathlib.Path("/etc/os-release").read_text(encoding="utf-8"), re.M))
    return release["ID"], f"{release['ID']}-{release['VERSION_ID']}"


def described(part, pinned):
    """(version, purl, checksum) of a part; "" for an unknown one."""
    source = source_package(part.package) if part.package else None
    if source:
        name, version = source
        vendor, distro = distribution()
        return version, f"pkg:deb/{vendor}/{name}@{version.replace('+', '%2B')}?arch=source&distro={distro}", ""
    version = pinned[part.pin] if part.pin else ""
    purl = part.purl or f"pkg:generic/{part.name}"
    return version, purl.format(version=version), pinned.get(part.sha256, "")


def identifier(name):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.]+", "-", name)


def licence_of_cyclonedx(licence):
    if licence in OWN_LICENCES:
        return [{"license": {"name": OWN_LICENCES[licence]}}]
    return [{"expression": licence}] if " " in licence else [{"license": {"id": licence}}]


def cyclonedx(parts, version, date):
    components = []
    for part, part_version, purl, checksum in parts:
        component = {"type": "library", "bom-ref": identifier(part.name), "name": part.name}
        if part_version:
            component["version"] = part_version
        component["scope"] = "optional" if part.relation == OPENED else "required"
        if checksum:
            component["hashes"] = [{"alg": "SHA-256", "content": checksum}]
        component["licenses"] = licence_of_cyclonedx(part.licence)
        component["purl"] = purl
        component["properties"] = [{"name": "polygraphy:relation", "value": part.relation}]
        components.append(component)
    product = {"type": "application", "bom-ref": "polygraphy", "name": "polygraphy", "version": version,
               "licenses": licence_of_cyclonedx("Apache-2.0"), "purl": f"pkg:pypi/polygraphy-native@{version}"}
    references = [component["bom-ref"] for component in components]
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"timestamp": date, "component": product},
        "components": components,
        "dependencies": [{"ref": "polygraphy", "dependsOn": references}, *({"ref": r} for r in references)],
    }


def package_of_spdx(name, version, licence, purl, checksum=""):
    package = {"SPDXID": identifier(name), "name": name, "downloadLocation": "NOASSERTION",
               "filesAnalyzed": False, "licenseConcluded": licence, "licenseDeclared": licence,
               "copyrightText": "NOASSERTION",
               "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                                 "referenceLocator": purl}]}
    if version:
        package["versionInfo"] = version
    if checksum:
        package["checksums"] = [{"algorithm": "SHA256", "checksumValue": checksum}]
    return package


def spdx(parts, version, date):
    root = package_of_spdx("polygraphy", version, "Apache-2.0", f"pkg:pypi/polygraphy-native@{version}")
    root["primaryPackagePurpose"] = "APPLICATION"
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", root["SPDXID"])]
    for part, *_ in parts:
        itself = identifier(part.name)
        relations.append({LINKED: (root["SPDXID"], "STATIC_LINK", itself),
                          SYSTEM: (root["SPDXID"], "DYNAMIC_LINK", itself),
                          OPENED: (itself, "OPTIONAL_DEPENDENCY_OF", root["SPDXID"])}[part.relation])
    return {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"polygraphy-{version}",
        "creationInfo": {"created": date, "creators": ["Tool: scripts-release-sbom.py"]},
        "packages": [root, *(package_of_spdx(part.name, part_version, part.licence, purl, checksum)
                             for part, part_version, purl, checksum in parts)],
        "hasExtractedLicensingInfos": [{"licenseId": licence, "name": text, "extractedText": text}
                                       for licence, text in OWN_LICENCES.items()],
        "relationships": [{"spdxElementId": a, "relationshipType": relation, "relatedSpdxElement": b}
                          for a, relation, b in relations],
    }


def documents(platform=""):
    """The texts of the two files, by their names."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH") or subprocess.run(
        [ROOT / "scripts/release/source_date.sh"], capture_output=True, text=True, check=True).stdout
    date = datetime.datetime.fromtimestamp(int(epoch), datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    version = re.search(r"^version = \"(.+)\"", (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.M)[1]
    pinned = pins()
    linked = {"relation": LINKED} if platform else {}
    parts = [(dataclasses.replace(part, **linked) if part.name == "libstdc++" else part, *described(part, pinned))
             for part in PARTS]
    bom, document = cyclonedx(parts, version, date), spdx(parts, version, date)
    # Both formats want a name that no other list has: derived from the contents.
    bom["serialNumber"] = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(bom)).urn
    document["documentNamespace"] = "urn:polygraphy:" + str(uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(document)))
    return {"polygraphy.cdx.json": bom, "polygraphy.spdx.json": document}


def main():
    if sys.argv[1:] == ["packages"]:
        print("\n".join(sorted(part.package for part in PARTS if part.package)))
    elif sys.argv[1:2] == ["write"] and len(sys.argv) in (3, 4):
        folder = pathlib.Path(sys.argv[2])
        folder.mkdir(parents=True, exist_ok=True)
        for name, document in documents(*sys.argv[3:]).items():
            text = json.dumps(document, indent=2, sort_keys=True) + "\n"
            (folder / name).write_text(text, encoding="utf-8")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
